package android.view.inputmethod;

public interface InputConnection {
    boolean commitText(CharSequence text, int newCursorPosition);

    CharSequence getSelectedText(int flags);

    CharSequence getTextBeforeCursor(int n, int flags);
}
