package dev.hushbit.keyboard

import android.inputmethodservice.InputMethodService
import android.os.Handler
import android.os.Looper
import android.view.KeyEvent
import android.view.View
import android.view.inputmethod.EditorInfo
import dev.hushbit.FieldPolicy
import java.util.concurrent.ExecutorService
import java.util.concurrent.Executors

/**
 * A keyboard with a key that shares privately.
 *
 * The field always gets the text as typed. Privatized text goes to a queue on this device. This happens only if the
 * user has switched it on, the field allows it, and the user has seen the privatized text and kept it.
 */
public class HushbitKeyboard : InputMethodService() {
    private val typing = Typing()
    private var view: KeyboardView? = null
    private lateinit var worker: ExecutorService
    private lateinit var privacy: Privacy
    private lateinit var share: PrivateShare

    override fun onCreate() {
        super.onCreate()
        val storage = Storage(this)
        val handler = Handler(Looper.getMainLooper())
        worker = Executors.newSingleThreadExecutor()
        privacy = Privacy(this, storage)
        share =
            PrivateShare(
                consent = Settings(this),
                queue = storage.queue,
                privatize = privacy::privatize,
                bundleHash = privacy::bundleHash,
                worker = worker,
                main = { handler.post(it) },
                today = { System.currentTimeMillis() / MILLISECONDS_PER_DAY },
                show = { view?.show(it) },
            )
    }

    override fun onDestroy() {
        worker.execute { privacy.close() }
        worker.shutdown()
        super.onDestroy()
    }

    override fun onCreateInputView(): View =
        KeyboardView(this, typing, ::press, keep = { share.keep() }, discard = { share.discard() }).also { view = it }

    override fun onStartInput(
        attribute: EditorInfo,
        restarting: Boolean,
    ) {
        super.onStartInput(attribute, restarting)
        share.enterField(FieldPolicy.evaluate(attribute.inputType, attribute.imeOptions))
        typing.reset()
        view?.drawKeys()
    }

    override fun onFinishInput() {
        super.onFinishInput()
        share.enterField(FieldPolicy.Decision.UNKNOWN)
    }

    private fun press(key: Key) {
        val shown = typing.isShifted to typing.showsSymbols
        when (val edit = typing.press(key)) {
            is Typing.Edit.Commit -> {
                currentInputConnection?.commitText(edit.text, 1)
                share.committed(edit.text)
            }

            Typing.Edit.Delete -> {
                sendDownUpKeyEvents(KeyEvent.KEYCODE_DEL)
                share.deleted()
            }

            Typing.Edit.Enter -> {
                share.entered()
                sendKeyChar('\n')
            }

            Typing.Edit.Share -> {
                share.share(textToShare())
            }

            Typing.Edit.None -> {}
        }
        if (shown != typing.isShifted to typing.showsSymbols) view?.drawKeys()
    }

    /** The selection, or the line before the cursor if there is no selection. */
    private fun textToShare(): String {
        val connection = currentInputConnection ?: return ""
        val selected = connection.getSelectedText(0)
        if (!selected.isNullOrEmpty()) return selected.toString()
        return connection
            .getTextBeforeCursor(MOST_CHARACTERS, 0)
            ?.toString()
            .orEmpty()
            .substringAfterLast('\n')
    }

    private companion object {
        const val MILLISECONDS_PER_DAY = 86_400_000L
        const val MOST_CHARACTERS = 500
    }
}
