package dev.hushbit

import android.content.Context
import androidx.annotation.WorkerThread

/**
 * Makes text private on the device, before it leaves the device.
 *
 * ```
 * val bundle = Hushbit.openAsset(context, "words.hushbit")
 * val privatizer = bundle.privatizer()
 * val released = privatizer.privatize("meet me at the station").text
 * ```
 *
 * Everything here is thread-safe, uses no network and logs nothing.
 */
public object Hushbit {
    /** The version of the native library, "major.minor.patch". */
    @JvmStatic
    public val version: String
        get() = Native.version().decodeToString()

    /**
     * Maps the bundle at [path] read-only and checks its structure. Bulk data is read when it is needed.
     *
     * The file must not be changed while it is open: replace it by renaming.
     *
     * @throws HushbitException.FileNotFound if there is no file.
     * @throws HushbitException.ReadFailed if it cannot be read or mapped.
     * @throws HushbitException.CorruptBundle if it is not a bundle.
     * @throws HushbitException.UnsupportedBundle if it needs a newer version of this library.
     */
    @JvmStatic
    @WorkerThread
    public fun open(path: String): Bundle {
        noteSlow("Hushbit.open")
        val name = path.toPath()
        return Bundle(translated { Native.bundleOpenPath(name) })
    }

    /**
     * The same for [length] bytes of an open file starting at [offset]. Neither number needs to be page aligned. The
     * caller keeps the descriptor and may close it at once.
     */
    @JvmStatic
    @WorkerThread
    public fun open(
        fd: Int,
        offset: Long,
        length: Long,
    ): Bundle {
        noteSlow("Hushbit.open")
        if (offset < 0 || length < 0) {
            throw HushbitException.InvalidArgument("offset is $offset and length $length: both must be 0 or more")
        }
        return Bundle(translated { Native.bundleOpenFd(fd, offset, length) })
    }

    /**
     * The same for the app's asset [name].
     *
     * @throws HushbitException.CompressedAsset if it is compressed in the APK and cannot be mapped.
     */
    @JvmStatic
    @WorkerThread
    public fun openAsset(
        context: Context,
        name: String,
    ): Bundle = openAsset(AndroidAssets(context.assets), name)
}
