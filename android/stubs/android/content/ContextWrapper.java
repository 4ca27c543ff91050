package android.content;

import android.content.pm.ApplicationInfo;
import android.content.res.AssetManager;
import java.io.File;

public class ContextWrapper extends Context {
    public AssetManager getAssets() { throw new UnsupportedOperationException(); }

    public ApplicationInfo getApplicationInfo() { throw new UnsupportedOperationException(); }

    public File getCacheDir() { throw new UnsupportedOperationException(); }

    public File getNoBackupFilesDir() { throw new UnsupportedOperationException(); }

    public SharedPreferences getSharedPreferences(String name, int mode) { throw new UnsupportedOperationException(); }

    public void startActivity(Intent intent) { throw new UnsupportedOperationException(); }
}
