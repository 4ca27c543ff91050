package dev.hushbit

/**
 * What one call released.
 *
 * Only [text] may leave the device. [tokens] and [cost] describe the text as typed: they are for the app's own use.
 *
 * @property text the privatized text; replacements are joined by single spaces.
 * @property tokens the tokens of the text as typed, in order.
 * @property cost what the release costs.
 */
public class PrivatizedText internal constructor(
    public val text: String,
    public val tokens: List<Token>,
    public val cost: Cost,
) {
    /** How many tokens; nothing that was typed. */
    override fun toString(): String = "PrivatizedText(${tokens.size} tokens)"
}

/**
 * A token of the text as typed.
 *
 * @property kind what it is.
 * @property wordId its id in the vocabulary, or null. Not private.
 * @property range where it stands in the text, in UTF-16 code units: `text.substring(token.range)`.
 * @property output where its replacement stands in [PrivatizedText.text], or null if it was left out.
 */
public class Token internal constructor(
    public val kind: TokenKind,
    public val wordId: Int?,
    public val range: IntRange,
    public val output: IntRange?,
) {
    override fun toString(): String = "Token($kind, $range)"
}

/** What a token is. */
public enum class TokenKind {
    /** In the vocabulary. */
    WORD,

    /** Has letters, marks or digits; not in the vocabulary, or a long number. */
    UNKNOWN,

    /** Has neither letters, marks nor digits; it may still have a word id. */
    PUNCTUATION,
}

/**
 * What a release costs.
 *
 * It compares two texts with as many tokens, the same of them left out, passed through or public. With [Memoization]
 * the two must also have the same pattern of equal words: "cat cat" and "cat dog" can then always be told apart,
 * whatever [worstCase] says. Of texts that differ otherwise a cost says nothing; how many tokens were typed is not
 * hidden.
 *
 * @property epsilonUnit what [epsilon] is counted by.
 * @property epsilon the effective budget.
 * @property average the sum over released tokens of [epsilon] times the mean distance between two words, or of their
 *   worst case if less; with [Mechanism.CROWD] the same as [worstCase].
 * @property worstCase the local-DP epsilon of the whole text, between the texts that a cost speaks about.
 * @property words vocabulary tokens that were privatized.
 * @property unknown tokens that are not in the vocabulary, whatever became of them; not dropped punctuation.
 * @property dropped tokens left out, punctuation included.
 * @property verbatim tokens passed through as typed; if not 0, [average] and [worstCase] are infinite.
 * @property publicWords tokens released without noise since the bundle calls them public; they cost nothing.
 */
public class Cost internal constructor(
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
