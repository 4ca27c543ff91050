package dev.hushbit

/** The native methods of the test-only library: seeded randomness, nearest words, the heap. */
internal object NativeTesting {
    init {
        System.loadLibrary("hushbit_jni_testing")
    }

    /** With [seed], or else with the random bytes of [stream]; the packed result, then the noisy codes. */
    @JvmStatic
    external fun privatize(
        privatizer: Long,
        seed: ByteArray?,
        stream: ByteArray?,
        text: ByteArray,
    ): Array<ByteArray>

    /** With [seed], or else with the random bytes of [stream]; the bytes of a `hushbit_embedding`. */
    @JvmStatic
    external fun embed(
        embedder: Long,
        seed: ByteArray?,
        stream: ByteArray?,
        text: ByteArray,
    ): ByteArray

    /** Distance, ties and word of the nearest; then [k] ids; then their distances. */
    @JvmStatic
    external fun nearest(
        bundle: Long,
        code: ByteArray,
        k: Int,
    ): IntArray

    @JvmStatic
    external fun keystream(
        seed: ByteArray,
        offset: Long,
        size: Int,
    ): ByteArray

    /** Bytes that malloc has handed out in this process. */
    @JvmStatic
    external fun heapInUse(): Long
}
