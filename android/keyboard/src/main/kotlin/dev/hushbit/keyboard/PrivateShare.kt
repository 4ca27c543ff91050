package dev.hushbit.keyboard

import dev.hushbit.FieldPolicy
import dev.hushbit.HushbitException
import java.util.concurrent.Executor

/** What the user has allowed. Everything is off by default. */
internal interface Consent {
    /** Whether anything may be privatized and kept at all. */
    val isOn: Boolean

    /** Whether each word is offered when it is complete, without pressing the share key. */
    val sharesWords: Boolean
}

/** The content of the bar above the keys. */
internal sealed interface Preview {
    data object Nothing : Preview

    /** Privatized [text], to be kept or discarded. */
    data class Offer(
        val text: String,
    ) : Preview

    /** What was offered was kept. */
    data object Kept : Preview

    /** A text with these words was drawn before. */
    data object Repeated : Preview

    /** Not in this field. */
    data class Refused(
        val decision: FieldPolicy.Decision,
    ) : Preview

    /** Sharing is off. */
    data object Off : Preview

    /** It did not work; [message], if there is one, contains no typed text. */
    data class Failed(
        val message: String?,
    ) : Preview
}

/**
 * Privatizes what the user shares, shows it, and keeps it only on request. It never changes the text of the field.
 *
 * A text is drawn once. It can then be kept or discarded, but not drawn again until its words are others. Draws of
 * other texts are counted in [Release.drawn]. Call everything on the main thread: [main] runs there, [worker]
 * elsewhere, one task after another. No exception of a task leaves it.
 */
internal class PrivateShare(
    private val consent: Consent,
    private val queue: ReleaseQueue,
    private val draw: (String) -> Draw,
    private val worker: Executor,
    private val main: Executor,
    private val show: (Preview) -> Unit,
) {
    private val words = WordCollector()
    private var permission = FieldPolicy.Decision.UNKNOWN
    private var visit = 0
    private var offered: Release? = null
    private var drawn = 0.0

    /** What is shown, for a view that was made anew. */
    var preview: Preview = Preview.Nothing
        private set(value) {
            field = value
            show(value)
        }

    /** The cursor is in a new field, or in none: forgets everything that was not kept. */
    fun enterField(decision: FieldPolicy.Decision) {
        permission = decision
        visit++
        words.clear()
        discard()
    }

    /** The system connects anew to the same field: what is offered stays, unless the field may not be read now. */
    fun restartField(decision: FieldPolicy.Decision) {
        if (decision == permission) words.interrupt() else enterField(decision)
    }

    /** The user moved the cursor: what comes next is no continuation of what was typed. */
    fun cursorMoved(): Unit = words.interrupt()

    /** The share key: offers the privatized [text]. */
    fun share(text: String) {
        when {
            !consent.isOn -> preview = Preview.Off
            !permission.isAllowed -> preview = Preview.Refused(permission)
            text.isBlank() -> preview = Preview.Nothing
            else -> offer(text, isAsked = true)
        }
    }

    /** Text was committed to the field: offers the word that it ends, if the user has allowed that. */
    fun committed(text: String) {
        if (mayCollect()) words.commit(text)?.let { offer(it, isAsked = false) }
    }

    /** Enter was pressed. */
    fun entered() {
        if (mayCollect()) words.end()?.let { offer(it, isAsked = false) }
    }

    /** Delete was pressed. */
    fun deleted(): Unit = words.delete()

    /** Keeps the offered text, with the cost of everything that was drawn. */
    fun keep() {
        val release = offered?.copy(drawn = drawn) ?: return
        offered = null
        drawn = 0.0
        preview = Preview.Kept
        worker.execute {
            val failure = runCatching { queue.add(release) }.exceptionOrNull() ?: return@execute
            main.execute { preview = failed(failure) }
        }
    }

    /** Forgets the offered text. */
    fun discard() {
        offered = null
        preview = Preview.Nothing
    }

    private fun mayCollect() = consent.isOn && consent.sharesWords && permission.isAllowed

    private fun offer(
        text: String,
        isAsked: Boolean,
    ) {
        val asked = visit
        worker.execute {
            val outcome = runCatching { draw(text) }
            main.execute { take(outcome, isHere = asked == visit, isAsked) }
        }
    }

    private fun take(
        outcome: Result<Draw>,
        isHere: Boolean,
        isAsked: Boolean,
    ) {
        val draw = outcome.getOrElse { return if (isHere) preview = failed(it) else Unit }
        when (draw) {
            is Draw.Released -> {
                drawn = sumOfCosts(drawn, draw.release.worstCase)
                if (isHere) present(draw.release)
            }

            Draw.Repeated -> {
                if (isHere && isAsked) preview = Preview.Repeated
            }
        }
    }

    private fun present(release: Release) {
        val all = offered?.let { it + release } ?: release
        offered = all
        preview = if (all.text.isEmpty()) Preview.Nothing else Preview.Offer(all.text)
    }

    /** Only the library's messages are known to contain no typed text. */
    private fun failed(failure: Throwable) = Preview.Failed((failure as? HushbitException)?.message)

    /** Two releases offered together; their costs add up. */
    private operator fun Release.plus(next: Release): Release =
        copy(text = "$text ${next.text}".trim(), worstCase = sumOfCosts(worstCase, next.worstCase))
}
