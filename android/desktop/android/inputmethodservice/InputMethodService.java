package android.inputmethodservice;

import android.view.View;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;
import java.util.ArrayList;
import java.util.List;

/** In the place of the stub: it is connected to what a test says, and remembers the keys that it was told to send. */
public class InputMethodService extends AbstractInputMethodService {
    public InputConnection connection;
    public final List<String> sent = new ArrayList<>();

    public View onCreateInputView() { return null; }

    public void onStartInput(EditorInfo attribute, boolean restarting) {}

    public void onUpdateSelection(
            int oldSelStart, int oldSelEnd, int newSelStart, int newSelEnd, int candidatesStart, int candidatesEnd) {}

    public void onFinishInput() {}

    public InputConnection getCurrentInputConnection() { return connection; }

    public void sendKeyChar(char charCode) { sent.add(String.valueOf(charCode)); }

    public void sendDownUpKeyEvents(int keyEventCode) { sent.add("key " + keyEventCode); }
}
