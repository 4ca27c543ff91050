package android.app;

import android.content.ContextWrapper;

/** In the place of the stub: it does nothing of its own. */
public abstract class Service extends ContextWrapper {
    public void onCreate() {}

    public void onDestroy() {}
}
