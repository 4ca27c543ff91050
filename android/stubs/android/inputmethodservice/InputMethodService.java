package android.inputmethodservice;

import android.view.View;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;

public class InputMethodService extends AbstractInputMethodService {
    public View onCreateInputView() { throw new UnsupportedOperationException(); }

    public void onStartInput(EditorInfo attribute, boolean restarting) { throw new UnsupportedOperationException(); }

    public void onUpdateSelection(
            int oldSelStart, int oldSelEnd, int newSelStart, int newSelEnd, int candidatesStart, int candidatesEnd) {
        throw new UnsupportedOperationException();
    }

    public void onFinishInput() { throw new UnsupportedOperationException(); }

    public InputConnection getCurrentInputConnection() { throw new UnsupportedOperationException(); }

    public void sendKeyChar(char charCode) { throw new UnsupportedOperationException(); }

    public void sendDownUpKeyEvents(int keyEventCode) { throw new UnsupportedOperationException(); }
}
