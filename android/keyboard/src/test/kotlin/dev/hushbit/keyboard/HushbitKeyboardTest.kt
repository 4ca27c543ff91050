package dev.hushbit.keyboard

import android.inputmethodservice.InputMethodService
import android.os.Handler
import android.text.InputType
import android.view.View
import android.view.ViewGroup
import android.view.inputmethod.EditorInfo
import android.view.inputmethod.InputConnection
import android.widget.Button
import android.widget.TextView
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.test.assertEquals
import kotlin.test.assertNotEquals
import kotlin.test.assertTrue

/** The keyboard as the system calls it, with its keys and its bar, over the built-in words. */
class HushbitKeyboardTest {
    /** What the host app has; it may fail, as one that has just ended. */
    private class Field : InputConnection {
        val typed = StringBuilder()
        var fails = false

        override fun commitText(
            text: CharSequence,
            newCursorPosition: Int,
        ): Boolean = answer { typed.append(text) }.let { true }

        override fun getSelectedText(flags: Int): CharSequence? = answer { null }

        override fun getTextBeforeCursor(
            n: Int,
            flags: Int,
        ): CharSequence = answer { typed.takeLast(n) }

        private fun <T> answer(value: () -> T): T = if (fails) throw IllegalStateException("secret") else value()
    }

    private val field = Field()
    private val keyboard = HushbitKeyboard()
    private val view by lazy { keyboard.onCreateInputView() }
    private val buttons get() = views(view).filterIsInstance<Button>()
    private val bar get() = views(view).first { it is TextView && it !is Button } as TextView
    private val failed get() = keyboard.getString(R.string.failed)

    @BeforeEach
    fun start() {
        keyboard.onCreate()
        keyboard.connection = field
        Settings(keyboard).isOn = true
        keyboard.onStartInput(textField(), false)
        view
    }

    @AfterEach
    fun end() {
        TextView.fails = false
        keyboard.onDestroy()
        work()
    }

    private fun textField() =
        EditorInfo().apply {
            inputType = InputType.TYPE_CLASS_TEXT
            initialSelStart = 0
            initialSelEnd = 0
        }

    /** A view and all that is in it. */
    private fun views(view: View): List<View> {
        val children = if (view is ViewGroup) (0 until view.childCount).map(view::getChildAt) else emptyList()
        return listOf(view) + children.flatMap(::views)
    }

    private fun press(key: String) {
        buttons.single { key in listOf(it.text.toString(), it.contentDescription) }.performClick()
    }

    private fun press(label: Int) = press(keyboard.getString(label))

    /** Types, and the system reports where the cursor is. */
    private fun type(text: String) {
        for (letter in text) {
            if (letter == ' ') press(R.string.space) else press(letter.toString())
            val end = field.typed.length
            keyboard.onUpdateSelection(end - 1, end - 1, end, end, -1, -1)
        }
    }

    /** Waits for what runs in the background, and runs what it left for the main thread. */
    private fun work() {
        val done = CountDownLatch(1)
        Background.execute(done::countDown)
        assertTrue(done.await(60, TimeUnit.SECONDS))
        generateSequence(Handler.WAITING::poll).forEach(Runnable::run)
    }

    private fun isOffered() = buttons.single { it.text == keyboard.getString(R.string.keep) }.visibility == View.VISIBLE

    private fun offer(text: String) {
        type(text)
        press(R.string.share)
        work()
        assertTrue(isOffered())
    }

    @Test
    fun `a key that the field refuses fails, and the next one is typed`() {
        field.fails = true
        press("a")
        assertEquals(failed, bar.text)
        press(R.string.share)
        assertEquals(failed, bar.text)
        field.fails = false
        type("b")
        assertEquals("b", field.typed.toString())
    }

    @Test
    fun `Enter is sent although the line cannot be read`() {
        Settings(keyboard).reportsDaily = true
        field.fails = true
        press(R.string.enter)
        assertEquals(failed, bar.text)
        assertEquals(listOf("\n"), keyboard.sent)
    }

    @Test
    fun `a field that cannot be evaluated is not read, whatever the last one was`() {
        offer("fire ")
        val broken = textField().apply { hintText = BrokenText }
        for (restarting in listOf(true, false)) {
            keyboard.onStartInput(broken, restarting)
            assertEquals("", bar.text)
            press(R.string.share)
            work()
            assertEquals(keyboard.getString(R.string.not_in_this_field), bar.text)
        }
        keyboard.onFinishInput()
        keyboard.onStartInput(textField(), false)
        offer("water ")
    }

    @Test
    fun `no callback ends the keyboard when its own view fails`() {
        offer("stone ")
        val callbacks =
            listOf<InputMethodService.() -> Unit>(
                { onStartInput(textField(), true) },
                { onStartInput(EditorInfo(), true) },
                { onFinishInput() },
                { onStartInput(textField(), false) },
                { onUpdateSelection(0, 0, 3, 9, -1, -1) },
                { press(R.string.shift) },
                { press(R.string.share) },
                { press(R.string.keep) },
                { press(R.string.discard) },
            )
        TextView.fails = true
        for (callback in callbacks) keyboard.callback()
        work()
        press("b")
        assertEquals("stone B", field.typed.toString())
    }

    @Test
    fun `a word goes on after the keyboard's own movements, and ends when the user moves the cursor`() {
        Settings(keyboard).sharesWords = true
        type("river ")
        work()
        assertTrue(isOffered())
        press(R.string.discard)
        type("moun")
        keyboard.onUpdateSelection(10, 10, 2, 2, -1, -1)
        type("tain ")
        work()
        assertEquals(false, isOffered())
        type("island ")
        work()
        assertTrue(isOffered())
    }

    @Test
    fun `what is offered stays when the cursor moves, and goes when the field is left`() {
        offer("garden ")
        val offered = bar.text
        keyboard.onUpdateSelection(7, 7, 2, 5, -1, -1)
        keyboard.onStartInput(textField(), true)
        assertEquals(offered, bar.text)
        keyboard.onFinishInput()
        assertEquals(false, isOffered())
        assertNotEquals(offered, bar.text)
    }

    private object BrokenText : CharSequence {
        override val length get() = throw IllegalStateException("secret")

        override fun get(index: Int) = throw IllegalStateException("secret")

        override fun subSequence(
            startIndex: Int,
            endIndex: Int,
        ) = throw IllegalStateException("secret")
    }
}
