package android.os;

public class Handler {
    public Handler(Looper looper) { throw new UnsupportedOperationException(); }

    public final boolean post(Runnable r) { throw new UnsupportedOperationException(); }
}
