package dev.hushbit

import java.util.concurrent.locks.ReentrantReadWriteLock
import kotlin.concurrent.read
import kotlin.concurrent.write

/** A native object. Any number of threads may use it at once. It is closed exactly once, when no thread uses it. */
internal class Handle(
    private var pointer: Long,
    private val name: String,
    private val release: (Long) -> Unit,
) {
    private val lock = ReentrantReadWriteLock()

    /** Runs [call] with the native pointer, which stays valid until it returns. */
    fun <T> use(call: (Long) -> T): T =
        lock.read {
            check(pointer != 0L) { "this $name is closed" }
            call(pointer)
        }

    /** Waits for calls in progress. Closing again does nothing. */
    fun close(): Unit =
        lock.write {
            if (pointer != 0L) release(pointer)
            pointer = 0L
        }
}
