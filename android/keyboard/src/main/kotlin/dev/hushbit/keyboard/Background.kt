package dev.hushbit.keyboard

import android.content.Context
import android.content.pm.ApplicationInfo
import android.os.StrictMode
import java.util.concurrent.Executor
import java.util.concurrent.Executors

/** The thread of this process for files and for privatizing: one task after another. A task that fails ends alone. */
internal object Background : Executor {
    private val thread = Executors.newSingleThreadExecutor { Thread(it, "hushbit").apply { isDaemon = true } }

    override fun execute(task: Runnable): Unit = thread.execute { runCatching(task::run) }
}

/**
 * In debug builds, reports what is slow on the main thread: files, and the calls of the library that say so by
 * [StrictMode.noteSlowCall].
 */
internal fun watchMainThread(context: Context) {
    if (!isDebugBuild(context.applicationInfo.flags)) return
    StrictMode.setThreadPolicy(
        StrictMode.ThreadPolicy
            .Builder()
            .detectAll()
            .penaltyLog()
            .build(),
    )
}

internal fun isDebugBuild(flags: Int): Boolean = flags and ApplicationInfo.FLAG_DEBUGGABLE != 0
