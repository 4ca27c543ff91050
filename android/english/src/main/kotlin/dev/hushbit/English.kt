@file:JvmName("English")

package dev.hushbit

import android.content.Context
import androidx.annotation.WorkerThread
import dev.hushbit.english.EnglishProvider
import dev.hushbit.english.openCopy
import java.io.IOException

/**
 * The built-in English words, an asset of this library.
 *
 * An app that sets `androidResources { noCompress += "hushbit" }` maps them as they are in the APK. In any other app
 * they are compressed there: then this unpacks them to a file in the cache, 4 MB, and deletes it once it is mapped.
 *
 * @throws IOException if they are compressed and cannot be unpacked, mostly for want of space.
 * @throws IllegalStateException outside of the app's main process: see [open] with a context.
 */
@WorkerThread
public fun Hushbit.open(): Bundle {
    val context = EnglishProvider.application
    return open(checkNotNull(context) { "there is no app yet, or this is another process: call Hushbit.open(context)" })
}

/**
 * The same in any process.
 *
 * @throws IOException if they are compressed and cannot be unpacked, mostly for want of space.
 */
@WorkerThread
public fun Hushbit.open(context: Context): Bundle =
    try {
        openAsset(context, ASSET)
    } catch (_: HushbitException.CompressedAsset) {
        openCopy(context.assets.open(ASSET), context.cacheDir)
    }

private const val ASSET = "english.hushbit"
