package dev.hushbit.keyboard

import android.content.Context
import java.io.File
import java.io.IOException
import java.security.SecureRandom

/** The keyboard's files, all of them excluded from backups. */
internal class Storage(
    private val directory: File,
) {
    /** The kept texts. */
    val queue: ReleaseQueue = ReleaseQueue(File(directory, "queue.tsv"))

    /** The ledger of the total cost of all texts. */
    val budgetPath: String = File(directory, "budget").path

    /** The ledger of the daily reports. */
    val reportBudgetPath: String = File(directory, "report_budget").path

    /** The secret of this device: a repeated word gets the same noise, so that the noise cannot be averaged away. */
    fun deviceKey(): ByteArray {
        val file = File(directory, "device_key")
        if (!file.exists()) {
            val next = File(directory, "device_key.new")
            next.writeBytes(ByteArray(32).also(SecureRandom()::nextBytes))
            if (!next.renameTo(file)) throw IOException("the device key could not be stored")
        }
        return file.readBytes()
    }

    companion object {
        private var shared: Storage? = null

        /** The one of this process, so that keyboard and activities have one queue with one lock. */
        @Synchronized
        fun of(context: Context): Storage = shared ?: Storage(context.noBackupFilesDir).also { shared = it }
    }
}
