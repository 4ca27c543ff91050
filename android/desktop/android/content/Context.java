package android.content;

import java.io.File;

/** In the place of the stub: a string of the resources is its number, after which comes what is put into it. */
public abstract class Context {
    public static final int MODE_PRIVATE = 0;

    public abstract android.content.res.AssetManager getAssets();

    public abstract android.content.pm.ApplicationInfo getApplicationInfo();

    public abstract File getCacheDir();

    public abstract File getNoBackupFilesDir();

    public abstract SharedPreferences getSharedPreferences(String name, int mode);

    public abstract void startActivity(Intent intent);

    public final String getString(int resId) { return "string " + resId; }

    public final String getString(int resId, Object... formatArgs) {
        return getString(resId) + ": " + java.util.Arrays.toString(formatArgs);
    }
}
