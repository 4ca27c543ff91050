import CHushbit

/// The result of a call of ``Privatizer/privatize(_:)``, with details for the app's own use.
public struct PrivatizedText: Hashable, Sendable {
    /// The privatized text. Only this may leave the device.
    public let text: String
    /// The tokens of the text as typed, in order. They are for the app's own use and must not be sent.
    public let tokens: [Token]
    /// The cost of the release.
    public let cost: Cost
}

/// A token of a text as typed.
public struct Token: Hashable, Sendable {
    /// The kind of a token.
    public enum Kind: Hashable, Sendable {
        /// Is in the vocabulary.
        case word
        /// Has letters, marks or digits; not in the vocabulary, or a long number.
        case unknown
        /// Has no letters, marks or digits; it may still have a word id.
        case punctuation
    }

    /// The kind of the token.
    public let kind: Kind
    /// The vocabulary id of the token AS TYPED, or nil. Not private.
    public let wordID: UInt32?
    /// Its range in the text as typed. It may begin or end inside a `Character`, but never inside a scalar.
    public let range: Range<String.Index>
    /// The range of its replacement in ``PrivatizedText/text``, or nil if it was left out.
    public let output: Range<String.Index>?
}

/// The cost of a release.
///
/// It compares two texts with the same number of tokens, of which the same are left out, passed through or public. With
/// ``Memoization`` the two texts must also have the same pattern of equal words: "cat cat" and "cat dog" can then
/// always be distinguished, whatever ``worstCase`` says. A cost says nothing about texts that differ in other ways. The
/// number of typed tokens is not hidden.
public struct Cost: Hashable, Sendable {
    /// The unit of ``epsilon``.
    public let epsilonUnit: EpsilonUnit
    /// The effective epsilon.
    public let epsilon: Double
    /// The sum over released tokens of their mean cost.
    public let average: Double
    /// The sum over released tokens of their worst case: the local-DP epsilon of the whole text, among the texts that a
    /// cost compares.
    public let worstCase: Double
    /// Vocabulary tokens that were privatized.
    public let words: UInt64
    /// Tokens without a vocabulary word, regardless of the OOV policy; without dropped punctuation.
    public let unknown: UInt64
    /// Tokens left out, including punctuation.
    public let dropped: UInt64
    /// Tokens passed through as typed; if not 0, ``average`` and ``worstCase`` are infinite.
    public let verbatim: UInt64
    /// Tokens released without noise because the bundle declares them public; they cost nothing.
    public let publicWords: UInt64
}

extension PrivatizedText {
    init(_ result: OpaquePointer, input: String) {
        var length = 0
        let bytes = UnsafeRawBufferPointer(start: hushbit_result_text(result, &length), count: length)
        let output = String(decoding: bytes, as: UTF8.self)
        var cost = sized(hushbit_cost.self)
        hushbit_result_get_cost(result, &cost, nil)
        self.init(text: output, tokens: readTokens(result, input: input, output: output), cost: Cost(cost))
    }
}

extension Cost {
    init(_ cost: hushbit_cost) {
        self.init(
            epsilonUnit: EpsilonUnit(cost.epsilon_unit), epsilon: cost.epsilon, average: cost.average,
            worstCase: cost.worst_case, words: cost.words, unknown: cost.unknown, dropped: cost.dropped,
            verbatim: cost.verbatim, publicWords: cost.public_words)
    }
}

extension Token.Kind {
    init(_ kind: hushbit_token_kind) {
        switch kind {
        case HUSHBIT_TOKEN_WORD: self = .word
        case HUSHBIT_TOKEN_UNKNOWN: self = .unknown
        default: self = .punctuation
        }
    }
}

/// The tokens of a C result, as ranges of the two texts.
func readTokens(_ result: OpaquePointer, input: String, output: String) -> [Token] {
    var count = 0
    guard let first = hushbit_result_tokens(result, &count) else { return [] }
    var typed = Cursor(input)
    var released = Cursor(output)
    return UnsafeBufferPointer(start: first, count: count).map { token in
        let isReleased = token.output_begin < token.output_end
        return Token(
            kind: Token.Kind(token.kind),
            wordID: token.word == UInt32.max ? nil : token.word,  // HUSHBIT_NO_WORD
            range: typed.range(token.byte_begin, token.byte_end),
            output: isReleased ? released.range(token.output_begin, token.output_end) : nil)
    }
}

/// Runs `call` with an empty C result, which is wiped and freed afterwards.
func withResult<Value>(_ call: (OpaquePointer) throws -> Value) throws -> Value {
    let result = try make(release: { hushbit_result_destroy($0) }) { hushbit_result_create($0, $1) }
    return try result.use(call)
}
