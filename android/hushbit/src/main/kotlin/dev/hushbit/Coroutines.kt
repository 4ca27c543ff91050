package dev.hushbit

import android.content.Context
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import kotlin.coroutines.CoroutineContext

/** [Hushbit.open] on [context]. */
public suspend fun Hushbit.openSuspending(
    path: String,
    context: CoroutineContext = Dispatchers.IO,
): Bundle = opened(context) { open(path) }

/** [Hushbit.open] on [context]; the descriptor must stay open until this returns. */
public suspend fun Hushbit.openSuspending(
    fd: Int,
    offset: Long,
    length: Long,
    context: CoroutineContext = Dispatchers.IO,
): Bundle = opened(context) { open(fd, offset, length) }

/** [Hushbit.openAsset] on [coroutineContext]. */
public suspend fun Hushbit.openAssetSuspending(
    context: Context,
    name: String,
    coroutineContext: CoroutineContext = Dispatchers.IO,
): Bundle = opened(coroutineContext) { openAsset(context, name) }

/**
 * [Privatizer.privatize] on [context]. A call that has begun is not interrupted. If it is canceled meanwhile, its
 * result is discarded, and with a budget its cost stays spent.
 */
public suspend fun Privatizer.privatizeSuspending(
    text: String,
    context: CoroutineContext = Dispatchers.Default,
): PrivatizedText = withContext(context) { privatize(text) }

/** Opens on [context], and closes the bundle again if the caller was canceled before it received the bundle. */
private suspend fun opened(
    context: CoroutineContext,
    open: () -> Bundle,
): Bundle {
    var bundle: Bundle? = null
    try {
        return withContext(context) { open().also { bundle = it } }
    } catch (canceled: CancellationException) {
        bundle?.close()
        throw canceled
    }
}
