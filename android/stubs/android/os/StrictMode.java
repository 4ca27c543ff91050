package android.os;

public final class StrictMode {
    private StrictMode() {}

    public static void noteSlowCall(String name) {}

    public static void setThreadPolicy(ThreadPolicy policy) { throw new UnsupportedOperationException(); }

    public static final class ThreadPolicy {
        private ThreadPolicy() {}

        public static final class Builder {
            public Builder detectAll() { throw new UnsupportedOperationException(); }

            public Builder penaltyLog() { throw new UnsupportedOperationException(); }

            public ThreadPolicy build() { throw new UnsupportedOperationException(); }
        }
    }
}
