package dev.hushbit

// The layout of `result_to_array` in jni_support.h: the cost, the number of tokens, the tokens, the text.
private const val COUNT = CostLayout.SIZE
private const val TOKENS = COUNT + 8
private const val NO_WORD = -1

/** Reads the result of a native call. */
internal fun privatizedText(bytes: ByteArray): PrivatizedText {
    val record = Record(bytes)
    val count = record.long(COUNT).toInt()
    val textStart = TOKENS + count * TokenLayout.SIZE
    val offsets = Utf16Offsets(bytes, textStart)
    val tokens = List(count) { token(record, TOKENS + it * TokenLayout.SIZE, offsets) }
    return PrivatizedText(record.string(textStart), tokens, cost(record))
}

private fun token(
    record: Record,
    at: Int,
    offsets: Utf16Offsets,
): Token {
    val word = record.int(at + TokenLayout.WORD)
    val begin = record.long(at + TokenLayout.UTF16_BEGIN).toInt()
    val end = record.long(at + TokenLayout.UTF16_END).toInt()
    val outputBegin = record.long(at + TokenLayout.OUTPUT_BEGIN).toInt()
    val outputEnd = record.long(at + TokenLayout.OUTPUT_END).toInt()
    return Token(
        kind = TokenKind.entries[record.int(at + TokenLayout.KIND)],
        wordId = word.takeIf { it != NO_WORD },
        range = begin until end,
        output = if (outputBegin < outputEnd) offsets.at(outputBegin) until offsets.at(outputEnd) else null,
    )
}

private fun cost(record: Record): Cost =
    Cost(
        epsilonUnit = EpsilonUnit.entries.find { it.value == record.int(CostLayout.EPSILON_UNIT) } ?: EpsilonUnit.BIT,
        epsilon = record.double(CostLayout.EPSILON),
        average = record.double(CostLayout.AVERAGE),
        worstCase = record.double(CostLayout.WORST_CASE),
        words = record.long(CostLayout.WORDS),
        unknown = record.long(CostLayout.UNKNOWN),
        dropped = record.long(CostLayout.DROPPED),
        verbatim = record.long(CostLayout.VERBATIM),
        publicWords = record.long(CostLayout.PUBLIC_WORDS),
    )
