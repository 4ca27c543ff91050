package android.os

import java.util.concurrent.CopyOnWriteArrayList

/** In the place of Android's: remembers what called itself slow on the thread of a test. */
object StrictMode {
    private val calls = CopyOnWriteArrayList<Pair<Thread, String>>()

    @JvmStatic
    fun noteSlowCall(name: String) {
        calls.add(Thread.currentThread() to name)
    }

    /** The names since the last time, of this thread. */
    fun take(): List<String> {
        val mine = calls.filter { it.first == Thread.currentThread() }
        calls.removeAll(mine)
        return mine.map { it.second }
    }
}
