package android.app;

import android.content.ContextWrapper;

public abstract class Service extends ContextWrapper {
    public void onCreate() { throw new UnsupportedOperationException(); }

    public void onDestroy() { throw new UnsupportedOperationException(); }
}
