package dev.hushbit

import android.content.res.AssetManager
import java.io.FileNotFoundException
import java.io.IOException

/** The part of [AssetManager] that [Hushbit.openAsset] needs; tests on the desktop have their own implementation. */
internal interface Assets {
    /** The asset as a part of an open file; [FileNotFoundException] if it is missing or compressed. */
    fun openFile(name: String): AssetFile

    /** Whether there is such an asset, compressed or not. */
    fun exists(name: String): Boolean
}

/** A part of an open file. */
internal class AssetFile(
    val fd: Int,
    val offset: Long,
    val length: Long,
    private val file: AutoCloseable,
) : AutoCloseable by file

internal class AndroidAssets(
    private val manager: AssetManager,
) : Assets {
    override fun openFile(name: String): AssetFile {
        val file = manager.openFd(name)
        return AssetFile(file.parcelFileDescriptor.fd, file.startOffset, file.length, file)
    }

    override fun exists(name: String): Boolean =
        try {
            manager.open(name).close()
            true
        } catch (_: IOException) {
            false
        }
}

internal fun openAsset(
    assets: Assets,
    name: String,
): Bundle =
    try {
        assets.openFile(name).use { Hushbit.open(it.fd, it.offset, it.length) }
    } catch (missing: FileNotFoundException) {
        throw if (assets.exists(name)) compressed(name, missing) else absent(name, missing)
    } catch (failure: IOException) {
        throw HushbitException.ReadFailed("the asset $name could not be read", failure)
    }

private fun compressed(
    name: String,
    cause: Throwable,
) = HushbitException.CompressedAsset(
    "the asset $name is compressed and cannot be mapped: " +
        "add androidResources { noCompress += \"hushbit\" } to the app's build file",
    cause,
)

private fun absent(
    name: String,
    cause: Throwable,
) = HushbitException.FileNotFound("there is no asset $name: put it into src/main/assets", cause)
