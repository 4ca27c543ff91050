package dev.hushbit.keyboard

import dev.hushbit.FieldPolicy
import dev.hushbit.HushbitException
import dev.hushbit.PrivatizedText
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

    /** Not in this field. */
    data class Refused(
        val decision: FieldPolicy.Decision,
    ) : Preview

    /** Sharing is off. */
    data object Off : Preview

    /** Privatizing failed; [message] contains no typed text. */
    data class Failed(
        val message: String,
    ) : Preview
}

/**
 * Privatizes what the user shares, shows it, and keeps it only on request. It never changes the text of the field.
 *
 * Call everything on the main thread: [main] runs there, [worker] elsewhere, one task after another.
 */
internal class PrivateShare(
    private val consent: Consent,
    private val queue: ReleaseQueue,
    private val privatize: (String) -> PrivatizedText,
    private val bundleHash: () -> String,
    private val worker: Executor,
    private val main: Executor,
    private val today: () -> Long,
    private val show: (Preview) -> Unit,
) {
    private val words = WordCollector()
    private var field = FieldPolicy.Decision.UNKNOWN
    private var visit = 0
    private var offered: Release? = null

    /** The cursor is in a new field, or in none: forgets everything that was not kept. */
    fun enterField(decision: FieldPolicy.Decision) {
        field = decision
        visit++
        words.clear()
        discard()
    }

    /** The share key: offers the privatized [text]. */
    fun share(text: String) {
        when {
            !consent.isOn -> show(Preview.Off)
            !field.isAllowed -> show(Preview.Refused(field))
            text.isBlank() -> show(Preview.Nothing)
            else -> offer(text)
        }
    }

    /** Text was committed to the field: offers the word that it ends, if the user has allowed that. */
    fun committed(text: String) {
        if (mayCollect()) words.commit(text)?.let(::offer)
    }

    /** Enter was pressed. */
    fun entered() {
        if (mayCollect()) words.end()?.let(::offer)
    }

    /** Delete was pressed. */
    fun deleted(): Unit = words.delete()

    /** Keeps the offered text. */
    fun keep() {
        val release = offered ?: return
        discard()
        worker.execute { queue.add(release) }
    }

    /** Forgets the offered text. */
    fun discard() {
        offered = null
        show(Preview.Nothing)
    }

    private fun mayCollect() = consent.isOn && consent.sharesWords && field.isAllowed

    private fun offer(text: String) {
        val asked = visit
        worker.execute {
            val outcome = attempt(text)
            main.execute { if (asked == visit) present(outcome) }
        }
    }

    private fun attempt(text: String): Result<Release> =
        try {
            val released = privatize(text)
            val cost = released.cost
            Result.success(Release(released.text, cost.epsilon, cost.worstCase, bundleHash(), today()))
        } catch (failure: HushbitException) {
            Result.failure(failure)
        }

    private fun present(outcome: Result<Release>) {
        outcome
            .onSuccess { release ->
                val all = offered?.let { it + release } ?: release
                offered = all
                show(if (all.text.isEmpty()) Preview.Nothing else Preview.Offer(all.text))
            }.onFailure { show(Preview.Failed(it.message.orEmpty())) }
    }

    /** Two releases offered together; their costs add up. */
    private operator fun Release.plus(next: Release): Release =
        copy(text = "$text ${next.text}".trim(), worstCase = worstCase + next.worstCase)
}
