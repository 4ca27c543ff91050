package dev.hushbit

// The layout of `result_to_array` in jni_support.h: the cost, the number of tokens, the tokens, the text.
private const val COUNT = 80
private const val TOKENS = 88
private const val TOKEN_SIZE = 56
private const val NO_WORD = -1

/** Reads the result of a native call. */
internal fun privatizedText(bytes: ByteArray): PrivatizedText {
    val record = Record(bytes)
    val count = record.long(COUNT).toInt()
    val textStart = TOKENS + count * TOKEN_SIZE
    val offsets = Utf16Offsets(bytes, textStart)
    val tokens = List(count) { token(record, TOKENS + it * TOKEN_SIZE, offsets) }
    return PrivatizedText(record.string(textStart), tokens, cost(record))
}

private fun token(
    record: Record,
    at: Int,
    offsets: Utf16Offsets,
): Token {
    val word = record.int(at + 4)
    val begin = record.long(at + 24).toInt()
    val end = record.long(at + 32).toInt()
    val outputBegin = record.long(at + 40).toInt()
    val outputEnd = record.long(at + 48).toInt()
    return Token(
        kind = TokenKind.entries[record.int(at)],
        wordId = word.takeIf { it != NO_WORD },
        range = begin until end,
        output = if (outputBegin < outputEnd) offsets.at(outputBegin) until offsets.at(outputEnd) else null,
    )
}

private fun cost(record: Record): Cost =
    Cost(
        epsilonUnit = EpsilonUnit.entries.find { it.value == record.int(72) } ?: EpsilonUnit.BIT,
        epsilon = record.double(8),
        average = record.double(16),
        worstCase = record.double(24),
        words = record.long(32),
        unknown = record.long(40),
        dropped = record.long(48),
        verbatim = record.long(56),
        publicWords = record.long(64),
    )
