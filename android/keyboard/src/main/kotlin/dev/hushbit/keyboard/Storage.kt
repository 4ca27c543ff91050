package dev.hushbit.keyboard

import android.content.Context
import dev.hushbit.Budget
import dev.hushbit.BudgetLimits
import dev.hushbit.Bundle
import dev.hushbit.Hushbit
import dev.hushbit.Memoization
import dev.hushbit.PrivatizedText
import dev.hushbit.Privatizer
import dev.hushbit.PrivatizerConfiguration
import java.io.File
import java.security.SecureRandom

/** The keyboard's files, all of them excluded from backups. */
internal class Storage(
    private val directory: File,
) {
    constructor(context: Context) : this(context.noBackupFilesDir)

    /** The kept texts. */
    val queue: ReleaseQueue = ReleaseQueue(File(directory, "queue.tsv"))

    /** The ledger of the total cost of all releases. */
    val budgetPath: String = File(directory, "budget").path

    /** The secret of this device: a repeated word gets the same noise, so that the noise cannot be averaged away. */
    fun deviceKey(): ByteArray {
        val file = File(directory, "device_key")
        if (!file.exists()) {
            val next = File(directory, "device_key.new")
            next.writeBytes(ByteArray(32).also(SecureRandom()::nextBytes))
            next.renameTo(file)
        }
        return file.readBytes()
    }
}

/** Opens bundle and privatizer on first use, on the worker; it must be closed there too. */
internal class Privacy(
    private val storage: Storage,
    private val open: () -> Bundle,
) : AutoCloseable {
    constructor(context: Context, storage: Storage) : this(storage, { Hushbit.openAsset(context, "english.hushbit") })

    private var privatizer: Privatizer? = null

    /** The bundle's hash, after the first text was privatized. */
    var bundleHash: String = ""
        private set

    fun privatize(text: String): PrivatizedText = (privatizer ?: make().also { privatizer = it }).privatize(text)

    override fun close() {
        privatizer?.close()
        privatizer = null
    }

    private fun make(): Privatizer =
        open().use { bundle ->
            bundleHash = bundle.info.hash
            Budget.open(storage.budgetPath, BudgetLimits(tokensPerDay = TOKENS_PER_DAY)).use { budget ->
                val memoization = Memoization(storage.deviceKey())
                bundle.privatizer(PrivatizerConfiguration(memoization = memoization, budget = budget))
            }
        }

    private companion object {
        const val TOKENS_PER_DAY = 500L
    }
}
