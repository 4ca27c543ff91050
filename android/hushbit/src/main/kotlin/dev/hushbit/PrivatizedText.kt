package dev.hushbit

/**
 * The result of one call.
 *
 * Only [text] may leave the device. [tokens] and [cost] describe the text as typed: they are for the app's own use.
 *
 * @property text the privatized text; replacements are joined by single spaces.
 * @property tokens the tokens of the text as typed, in order.
 * @property cost the cost of the release.
 */
@ConsistentCopyVisibility
public data class PrivatizedText internal constructor(
    public val text: String,
    public val tokens: List<Token>,
    public val cost: Cost,
) {
    /** The number of tokens, without any text. */
    override fun toString(): String = "PrivatizedText(${tokens.size} tokens)"
}

/**
 * A token of the text as typed.
 *
 * @property kind the kind of the token.
 * @property wordId its id in the vocabulary, or null. Not private.
 * @property range its range in the text, in UTF-16 code units: `text.substring(token.range)`.
 * @property output the range of its replacement in [PrivatizedText.text], or null if it was left out.
 */
@ConsistentCopyVisibility
public data class Token internal constructor(
    public val kind: TokenKind,
    public val wordId: Int?,
    public val range: IntRange,
    public val output: IntRange?,
) {
    override fun toString(): String = "Token($kind, $range)"
}

/** The kind of a token. */
public enum class TokenKind {
    /** The word is in the vocabulary. */
    WORD,

    /** Has letters, marks or digits; not in the vocabulary, or a long number. */
    UNKNOWN,

    /** Has no letters, marks or digits; it may still have a word id. */
    PUNCTUATION,
}

/**
 * The cost of a release.
 *
 * It compares two texts with the same number of tokens, of which the same are left out, passed through or public. With
 * [Memoization] the two texts must also have the same pattern of equal words: "cat cat" and "cat dog" can then always
 * be distinguished, whatever [worstCase] says. A cost says nothing about texts that differ in other ways. The number of
 * typed tokens is not hidden.
 *
 * @property epsilonUnit the unit of [epsilon].
 * @property epsilon the epsilon that actually holds.
 * @property average the sum over released tokens of [epsilon] times the mean distance between two words, or of their
 *   worst case if less; with [Mechanism.CROWD] the same as [worstCase].
 * @property worstCase the local-DP epsilon of the whole text, among the texts that a cost compares.
 * @property words vocabulary tokens that were privatized.
 * @property unknown tokens that are not in the vocabulary, regardless of the policy; without dropped punctuation.
 * @property dropped tokens left out, including punctuation.
 * @property verbatim tokens passed through as typed; if not 0, [average] and [worstCase] are infinite.
 * @property publicWords tokens released without noise because the bundle declares them public; they cost nothing.
 */
@ConsistentCopyVisibility
public data class Cost internal constructor(
    public val epsilonUnit: EpsilonUnit,
    public val epsilon: Double,
    public val average: Double,
    public val worstCase: Double,
    public val words: Long,
    public val unknown: Long,
    public val dropped: Long,
    public val verbatim: Long,
    public val publicWords: Long,
) {
    override fun toString(): String = "Cost(average=$average, worstCase=$worstCase)"
}
