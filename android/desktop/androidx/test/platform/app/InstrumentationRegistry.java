package androidx.test.platform.app;

import android.app.Instrumentation;
import android.content.Context;
import android.content.ContextWrapper;
import android.content.res.AssetManager;
import java.io.File;

/** For tests of a device on the desktop: a context whose assets and files are in directories. */
public final class InstrumentationRegistry {
    private InstrumentationRegistry() {}

    public static Instrumentation getInstrumentation() {
        return new Instrumentation() {
            @Override
            public Context getContext() { return new Desktop(); }
        };
    }

    private static final class Desktop extends ContextWrapper {
        @Override
        public AssetManager getAssets() { return new AssetManager(); }

        @Override
        public File getNoBackupFilesDir() { return new File(System.getProperty("hushbit.files")); }
    }
}
