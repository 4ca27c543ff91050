package android.view.inputmethod;

import android.text.InputType;

public class EditorInfo implements InputType {
    public static final int IME_MASK_ACTION = 0x000000ff;
    public static final int IME_ACTION_UNSPECIFIED = 0x00000000;
    public static final int IME_ACTION_NONE = 0x00000001;
    public static final int IME_ACTION_GO = 0x00000002;
    public static final int IME_ACTION_SEARCH = 0x00000003;
    public static final int IME_ACTION_SEND = 0x00000004;
    public static final int IME_ACTION_NEXT = 0x00000005;
    public static final int IME_ACTION_DONE = 0x00000006;
    public static final int IME_ACTION_PREVIOUS = 0x00000007;

    public static final int IME_FLAG_NO_PERSONALIZED_LEARNING = 0x01000000;
    public static final int IME_FLAG_NO_FULLSCREEN = 0x02000000;
    public static final int IME_FLAG_NAVIGATE_PREVIOUS = 0x04000000;
    public static final int IME_FLAG_NAVIGATE_NEXT = 0x08000000;
    public static final int IME_FLAG_NO_EXTRACT_UI = 0x10000000;
    public static final int IME_FLAG_NO_ACCESSORY_ACTION = 0x20000000;
    public static final int IME_FLAG_NO_ENTER_ACTION = 0x40000000;
    public static final int IME_FLAG_FORCE_ASCII = 0x80000000;

    public int inputType = TYPE_NULL;
    public int imeOptions = 0;
    public int fieldId;
    public String fieldName;
    public CharSequence hintText;
    public CharSequence label;
    public String packageName;
    public int initialSelStart = -1;
    public int initialSelEnd = -1;
}
