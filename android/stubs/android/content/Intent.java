package android.content;

public class Intent {
    public static final String ACTION_SEND = "android.intent.action.SEND";
    public static final String EXTRA_TEXT = "android.intent.extra.TEXT";

    public Intent(String action) { throw new UnsupportedOperationException(); }

    public Intent(Context packageContext, Class<?> cls) { throw new UnsupportedOperationException(); }

    public Intent setType(String type) { throw new UnsupportedOperationException(); }

    public Intent putExtra(String name, String value) { throw new UnsupportedOperationException(); }

    public static Intent createChooser(Intent target, CharSequence title) { throw new UnsupportedOperationException(); }
}
