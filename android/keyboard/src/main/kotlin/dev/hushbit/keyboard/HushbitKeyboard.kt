package dev.hushbit.keyboard

import android.inputmethodservice.InputMethodService
import android.os.Handler
import android.os.Looper
import android.view.KeyEvent
import android.view.View
import android.view.inputmethod.EditorInfo
import dev.hushbit.FieldHistory
import dev.hushbit.FieldPolicy

/**
 * A keyboard with a key that shares privately.
 *
 * The field always gets the text as typed. Privatized text goes to a queue on this device. This happens only if the
 * user has switched it on, the field allows it, and the user has seen the privatized text and kept it. With a switch of
 * its own, one report a day about an emoji or a word goes there, too.
 */
public class HushbitKeyboard : InputMethodService() {
    private val typing = Typing()
    private val cursor = Cursor()
    private val history = FieldHistory()
    private var decision = FieldPolicy.Decision.UNKNOWN
    private var view: KeyboardView? = null
    private lateinit var settings: Settings
    private lateinit var storage: Storage
    private lateinit var privacy: Privacy
    private lateinit var daily: DailyReport
    private lateinit var share: PrivateShare

    override fun onCreate() {
        super.onCreate()
        watchMainThread(this)
        val handler = Handler(Looper.getMainLooper())
        settings = Settings(this)
        storage = Storage.of(this)
        privacy = Privacy(this, storage)
        daily = DailyReport(storage, { openWords(this) })
        share =
            PrivateShare(
                consent = settings,
                queue = storage.queue,
                draw = privacy::draw,
                worker = Background,
                main = { handler.post { guarded(it::run) } },
                show = { view?.show(it) },
            )
    }

    override fun onDestroy() {
        Background.execute { privacy.close() }
        super.onDestroy()
    }

    override fun onCreateInputView(): View =
        KeyboardView(
            context = this,
            typing = typing,
            press = ::press,
            keep = { guarded(share::keep) },
            discard = { guarded(share::discard) },
        ).also {
            view = it
            it.show(share.preview)
        }

    override fun onStartInput(
        attribute: EditorInfo,
        restarting: Boolean,
    ) {
        super.onStartInput(attribute, restarting)
        decision = FieldPolicy.Decision.UNKNOWN // unless it can be evaluated
        guarded { decision = history.evaluate(attribute, restarting) }
        guarded {
            cursor.start(if (attribute.initialSelStart == attribute.initialSelEnd) attribute.initialSelStart else -1)
            if (restarting) {
                share.restartField(decision)
            } else {
                share.enterField(decision)
                typing.reset()
                view?.drawKeys()
            }
        }
    }

    override fun onUpdateSelection(
        oldSelStart: Int,
        oldSelEnd: Int,
        newSelStart: Int,
        newSelEnd: Int,
        candidatesStart: Int,
        candidatesEnd: Int,
    ) {
        super.onUpdateSelection(oldSelStart, oldSelEnd, newSelStart, newSelEnd, candidatesStart, candidatesEnd)
        guarded { if (cursor.reported(newSelStart, newSelEnd)) share.cursorMoved() }
    }

    override fun onFinishInput() {
        super.onFinishInput()
        guarded {
            decision = FieldPolicy.Decision.UNKNOWN
            share.enterField(decision)
        }
    }

    private fun press(key: Key) {
        val shown = typing.isShifted to typing.showsSymbols
        guarded { apply(typing.press(key)) }
        guarded { if (shown != typing.isShifted to typing.showsSymbols) view?.drawKeys() }
    }

    private fun apply(edit: Typing.Edit) {
        when (edit) {
            is Typing.Edit.Commit -> {
                currentInputConnection?.commitText(edit.text, 1)
                cursor.edited(edit.text.length)
                share.committed(edit.text)
            }

            Typing.Edit.Delete -> {
                sendDownUpKeyEvents(KeyEvent.KEYCODE_DEL)
                cursor.edited(-1)
                share.deleted()
            }

            Typing.Edit.Enter -> {
                guarded { report(line()) } // first, since Enter may empty the field
                sendKeyChar('\n')
                cursor.edited(1)
                share.entered()
            }

            Typing.Edit.Share -> {
                share.share(textToShare())
            }

            Typing.Edit.None -> {}
        }
    }

    /** Draws the report of the day from a line that is complete, if the user has allowed that. */
    private fun report(line: String) {
        if (!settings.reportsDaily || !decision.isAllowed || line.isBlank()) return
        Background.execute { daily.draw(line)?.let(storage.queue::add) }
    }

    /** The selection, or the line before the cursor if there is no selection. */
    private fun textToShare(): String =
        currentInputConnection
            ?.getSelectedText(0)
            ?.toString()
            .orEmpty()
            .ifEmpty(::line)

    private fun line(): String =
        currentInputConnection
            ?.getTextBeforeCursor(MOST_CHARACTERS, 0)
            ?.toString()
            .orEmpty()
            .substringAfterLast('\n')

    /** A keyboard that ends leaves the user without one. So a failure costs the sharing, and not the typing. */
    private inline fun guarded(action: () -> Unit) {
        try {
            action()
        } catch (_: RuntimeException) {
            runCatching { view?.show(Preview.Failed(null)) }
        }
    }

    private companion object {
        const val MOST_CHARACTERS = 500
    }
}
