package android.content;

import android.content.pm.ApplicationInfo;
import android.content.res.AssetManager;
import java.io.File;
import java.util.HashMap;
import java.util.Map;

/** In the place of the stub: an app of a release build. All share one folder of files, `hushbit.files`. */
public class ContextWrapper extends Context {
    private final Map<String, Boolean> preferences = new HashMap<>();

    public AssetManager getAssets() { return new AssetManager(); }

    public ApplicationInfo getApplicationInfo() { return new ApplicationInfo(); }

    public File getCacheDir() { return getNoBackupFilesDir(); }

    public File getNoBackupFilesDir() { return new File(System.getProperty("hushbit.files")); }

    /** One set of switches for an app, whatever its name. */
    public SharedPreferences getSharedPreferences(String name, int mode) { return new Preferences(); }

    public void startActivity(Intent intent) { throw new UnsupportedOperationException(); }

    private final class Preferences implements SharedPreferences, SharedPreferences.Editor {
        public boolean getBoolean(String key, boolean defValue) { return preferences.getOrDefault(key, defValue); }

        public Editor edit() { return this; }

        public Editor putBoolean(String key, boolean value) {
            preferences.put(key, value);
            return this;
        }

        public void apply() {}
    }
}
