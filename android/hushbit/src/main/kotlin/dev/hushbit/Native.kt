package dev.hushbit

/**
 * The native methods, one for each function of the C interface (`native/include/hushbit/hushbit.h`).
 *
 * Handles are pointers. [Handle] keeps a pointer valid while a call uses it. Paths end with a NUL. Records are the
 * bytes of C structs, which [Record] reads. Each method throws [NativeFailure], which [translated] converts to a
 * [HushbitException].
 */
internal object Native {
    init {
        System.loadLibrary("hushbit")
    }

    @JvmStatic
    external fun version(): ByteArray

    @JvmStatic
    external fun bundleOpenPath(path: ByteArray): Long

    @JvmStatic
    external fun bundleOpenFd(
        fd: Int,
        offset: Long,
        length: Long,
    ): Long

    @JvmStatic
    external fun bundleClose(bundle: Long)

    @JvmStatic
    external fun bundleVerify(bundle: Long)

    @JvmStatic
    external fun bundleInfo(bundle: Long): ByteArray

    @JvmStatic
    external fun bundleMeta(bundle: Long): ByteArray

    @JvmStatic
    external fun bundleFind(
        bundle: Long,
        word: ByteArray,
    ): Int

    @JvmStatic
    external fun bundleWord(
        bundle: Long,
        id: Int,
    ): ByteArray

    @JvmStatic
    external fun tokenize(
        bundle: Long,
        text: ByteArray,
    ): ByteArray

    @JvmStatic
    external fun privatizerCreate(
        bundle: Long,
        mechanism: Int,
        epsilon: Double,
        beta: Double,
        oov: Int,
        punctuation: Int,
        mask: ByteArray,
        deviceKey: ByteArray?,
        epoch: Long,
        budget: Long,
        auditLog: ByteArray?,
        crowdSize: Int,
        allowUnchanged: Boolean,
    ): Long

    @JvmStatic
    external fun privatizerDestroy(privatizer: Long)

    @JvmStatic
    external fun privatizerInfo(privatizer: Long): ByteArray

    @JvmStatic
    external fun privatize(
        privatizer: Long,
        text: ByteArray,
    ): ByteArray

    @JvmStatic
    external fun budgetOpen(
        path: ByteArray,
        worstCasePerDay: Double,
        worstCaseLifetime: Double,
        tokensPerDay: Long,
        tokensLifetime: Long,
    ): Long

    @JvmStatic
    external fun budgetClose(budget: Long)

    @JvmStatic
    external fun budgetSpend(
        budget: Long,
        worstCase: Double,
        tokens: Long,
    )

    @JvmStatic
    external fun budgetSpendTexts(
        budget: Long,
        worstCase: Double,
        texts: Int,
    )

    @JvmStatic
    external fun budgetState(budget: Long): ByteArray

    @JvmStatic
    external fun budgetReset(path: ByteArray)
}
