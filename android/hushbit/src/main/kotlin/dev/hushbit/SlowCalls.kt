package dev.hushbit

import android.os.StrictMode

/**
 * Says that the call [name] may take long: it reads a file, or waits for the disk. An app whose debug builds watch the
 * main thread, by `detectCustomSlowCalls()` or `detectAll()` of `StrictMode.ThreadPolicy.Builder`, learns of it there.
 */
internal fun noteSlow(name: String): Unit = StrictMode.noteSlowCall(name)
