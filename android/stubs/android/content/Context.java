package android.content;

import java.io.File;

public abstract class Context {
    public static final int MODE_PRIVATE = 0;

    public abstract android.content.res.AssetManager getAssets();

    public abstract android.content.pm.ApplicationInfo getApplicationInfo();

    public abstract File getCacheDir();

    public abstract File getNoBackupFilesDir();

    public abstract SharedPreferences getSharedPreferences(String name, int mode);

    public abstract void startActivity(Intent intent);

    public final String getString(int resId) { throw new UnsupportedOperationException(); }

    public final String getString(int resId, Object... formatArgs) { throw new UnsupportedOperationException(); }
}
