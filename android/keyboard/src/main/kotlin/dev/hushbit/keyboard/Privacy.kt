package dev.hushbit.keyboard

import android.content.Context
import androidx.annotation.WorkerThread
import dev.hushbit.Budget
import dev.hushbit.BudgetLimits
import dev.hushbit.Bundle
import dev.hushbit.Hushbit
import dev.hushbit.Memoization
import dev.hushbit.Privatizer
import dev.hushbit.PrivatizerOptions
import dev.hushbit.open

/** Opens bundle and privatizer on first use, on the worker; it must be closed there too. */
internal class Privacy(
    private val storage: Storage,
    private val open: () -> Bundle,
    private val today: () -> Long = ::currentDay,
) : AutoCloseable {
    constructor(context: Context, storage: Storage) : this(storage, { openWords(context) })

    private class Ready(
        val bundle: Bundle,
        val privatizer: Privatizer,
        val epoch: Long,
    )

    private val draws = Draws()
    private var ready: Ready? = null

    /** Draws [text] once, after its cost was spent. After an exception nothing was drawn. */
    @WorkerThread
    fun draw(text: String): Draw {
        val day = today()
        val ready = prepare(day / DAYS_OF_EPOCH)
        val noted = draws.note(text, ready.bundle.tokenize(text)) ?: return Draw.Repeated
        val released =
            try {
                ready.privatizer.privatize(text)
            } catch (failure: Exception) {
                draws.forget(noted)
                throw failure
            }
        val cost = released.cost
        return Draw.Released(Release(released.text, cost.epsilon, cost.worstCase, ready.bundle.info.hash, day))
    }

    /** Closes bundle and privatizer; the next text opens them again. */
    override fun close() {
        ready?.privatizer?.close()
        ready?.bundle?.close()
        ready = null
    }

    private fun prepare(epoch: Long): Ready {
        ready?.takeIf { it.epoch == epoch }?.let { return it }
        close()
        val bundle = open()
        try {
            return Ready(bundle, makePrivatizer(bundle, epoch), epoch).also { ready = it }
        } catch (failure: Exception) {
            bundle.close()
            throw failure
        }
    }

    private fun makePrivatizer(
        bundle: Bundle,
        epoch: Long,
    ): Privatizer =
        Budget.open(storage.budgetPath, BudgetLimits(tokensPerDay = WORDS_PER_DAY)).use { budget ->
            val memoization = Memoization(storage.deviceKey(), epoch)
            bundle.privatizer(PrivatizerOptions(memoization = memoization, budget = budget))
        }

    companion object {
        /** A cap that stops a mistake of the app, but not a normal day; see docs/repetition-and-budget.md. */
        const val WORDS_PER_DAY = 500L

        /** Within this many days a repeated word gets the same noise. */
        const val DAYS_OF_EPOCH = 91L
    }
}

/** The built-in English words. */
internal fun openWords(context: Context): Bundle = Hushbit.open(context)

/** Days since 1970-01-01 UTC. */
internal fun currentDay(): Long = System.currentTimeMillis() / 86_400_000L
