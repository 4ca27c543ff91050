"""The results of tokenizing and privatizing. None of them keeps the text as typed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal

from hushbit._options import EpsilonUnit
from hushbit._plumbing.records import Record, plain, public
from hushbit.errors import CorruptBundleError, InvalidArgumentError, InvalidTextError

if TYPE_CHECKING:
    from hushbit import _core

TokenKind = Literal["word", "unknown", "punctuation"]


@dataclass(frozen=True, slots=True)
class Token(Record):
    """A token of a text as typed. It is for the app's own use and must not be sent.

    Ranges are half open and counted from the start of the text: `byte_begin` to `byte_end` in bytes of UTF-8 (so
    `text.encode()[byte_begin:byte_end].decode()` is the token), `utf16_begin` to `utf16_end` in UTF-16 code units.

    kind: "word" if the token is in the vocabulary; "unknown" if it has letters, marks or digits and is not in the
        vocabulary, or has four or more digits; "punctuation" if it has no letters, marks or digits, whether it is in
        the vocabulary or not.
    word_id: the id of the token in the vocabulary, or None if it has none.
    """

    kind: TokenKind
    byte_begin: int
    byte_end: int
    utf16_begin: int
    utf16_end: int
    word_id: int | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class PrivatizedToken(Record):
    """The place of a token in the text as typed, and its replacement.

    The kind and the ranges are the same as in `Token`. They describe the text as typed and must not be sent.

    replacement: the word that stands for the token in the privatized text, or None if the token was left out.
    """

    kind: TokenKind
    byte_begin: int
    byte_end: int
    utf16_begin: int
    utf16_end: int
    replacement: str | None


@dataclass(frozen=True, slots=True)
class Cost(Record):
    """The cost of one release.

    epsilon: the epsilon that actually holds, per `epsilon_unit`: the metric-DP epsilon of a differing bit, which means
        little without the next two fields, or with "crowd" the local-DP epsilon of a word.
    average: the sum over the released tokens of epsilon times P_avg, the mean distance between two words of the
        vocabulary, or of the worst case if that is less; with "crowd" the same as `worst_case`.
    worst_case: the sum over the released tokens of their worst case. It is the local-DP epsilon of the whole text,
        among the texts that a cost compares.
    words: the number of tokens of the vocabulary that were privatized.
    unknown: the number of tokens outside the vocabulary, regardless of the policy.
    dropped: the number of tokens that were left out, including punctuation.
    verbatim: the number of tokens that were passed through as typed. If it is not 0, `average` and `worst_case` are
        infinite.
    public_words: the number of tokens that were released without noise because the bundle declares them public. They
        cost nothing.
    epsilon_unit: the unit of `epsilon`: "bit", "word", or "text" for embeddings and reports, whose cost holds between
        any two texts.

    A cost compares two texts with the same number of tokens, of which the same are left out, passed through or public.
    Under memoized noise the two texts must also have the same pattern of equal words: "cat cat" and "cat dog" can be
    distinguished, whatever `worst_case` says. A cost says nothing about texts that differ in other ways. In particular,
    the number of typed words is not hidden.

    Costs can be added: `sum(costs)`, or `sum(costs, Cost.zero())` if there may be none.
    """

    epsilon: float
    average: float
    worst_case: float
    words: int
    unknown: int
    dropped: int
    verbatim: int
    public_words: int = 0
    epsilon_unit: EpsilonUnit = "bit"

    @classmethod
    def zero(cls) -> Cost:
        """The cost of nothing. It can be added to any cost, at any epsilon."""
        return cls(epsilon=0.0, average=0.0, worst_case=0.0, words=0, unknown=0, dropped=0, verbatim=0)

    def __add__(self, other: Cost) -> Cost:
        """The total cost of two releases (sequential composition), rounded up. Infinite costs stay infinite.

        Raises InvalidArgumentError (a ValueError) for costs at different epsilons, except for `zero()`.
        """
        if not isinstance(other, Cost):
            return NotImplemented
        nothing = Cost.zero()
        if nothing in (self, other):
            return other if self == nothing else self
        if (self.epsilon, self.epsilon_unit) != (other.epsilon, other.epsilon_unit):
            raise InvalidArgumentError(
                f"costs at different epsilons, {self.epsilon:g} per {self.epsilon_unit} and {other.epsilon:g} per "
                f"{other.epsilon_unit}, have no common epsilon: "
                "add their average and worst_case instead"
            )
        return Cost(
            epsilon=self.epsilon,
            average=sum_rounded_up((self.average, other.average)),
            worst_case=sum_rounded_up((self.worst_case, other.worst_case)),
            words=self.words + other.words,
            unknown=self.unknown + other.unknown,
            dropped=self.dropped + other.dropped,
            verbatim=self.verbatim + other.verbatim,
            public_words=self.public_words + other.public_words,
            epsilon_unit=self.epsilon_unit,
        )

    def __radd__(self, other: object) -> Cost:
        """Adds a cost to the number 0, with which `sum` starts."""
        if isinstance(other, int) and other == 0:
            return self
        return NotImplemented


_MOST_MILLIONTHS = 2**53 / 1e6
"""The number below which a double tells numbers of millionths apart."""


def sum_rounded_up(values: Sequence[float]) -> float:
    """The sum of nonnegative numbers: exactly, if all are numbers of millionths, as worst cases of texts are.

    Then it is the nearest double, as in the core: 18.1 + 18.1 + 17.8 is 54. Otherwise the smallest double that is not
    below the sum.
    """
    millionths = [round(value * 1e6) if value < _MOST_MILLIONTHS else -1 for value in values]
    if all(count / 1e6 == value for count, value in zip(millionths, values, strict=True)):
        return sum(millionths) / 1e6
    try:
        total = math.fsum(values)
    except OverflowError:  # the cost is beyond the largest double
        return math.inf
    if math.isinf(total):
        return total
    return math.nextafter(total, math.inf) if math.fsum([*values, -total]) > 0 else total


class _WithTokens(Record):
    """Creates tokens on first access, since most texts are released without a look at them."""

    __slots__ = ("_native",)
    _native: _core.Result

    def __getattr__(self, name: str) -> tuple[PrivatizedToken, ...]:
        """Called for attributes without a value: creates the tokens, once."""
        if name != "tokens":
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        tokens = tuple(PrivatizedToken(*row) for row in rows_of(self._native))
        object.__setattr__(self, name, tokens)
        return tokens


@dataclass(frozen=True, slots=True)
class PrivatizedText(_WithTokens):
    """A privatized text and its cost.

    text: the privatized text, which is the replacements, joined by single spaces. Only this may be released.
    tokens: the replacement of every token, in the order of the text as typed. They must not be released.
    cost: the cost of releasing `text`.
    """

    text: str
    tokens: tuple[PrivatizedToken, ...] = field(repr=False)
    cost: Cost


_TOKEN_FIELDS = [field.name for field in fields(PrivatizedToken)]
_COST_FIELDS = [field.name for field in fields(Cost)]


def encode(text: str, what: str = "text") -> bytes:
    """Encodes a str as UTF-8; `what` is its name in errors.

    Raises TypeError for anything except str, and InvalidTextError for a lone surrogate, with its byte offset. The
    errors contain no part of the text, and no reference to the exceptions that caused them.
    """
    if not isinstance(text, str):
        raise TypeError(f"{what} must be str, not {type(text).__name__}")
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        at = error.start
    position = len(text[:at].encode())
    raise InvalidTextError(
        f"{what} has a lone surrogate at character {at}, byte {position}, which UTF-8 cannot express: "
        "decode the input with errors='replace'",
        position,
    )


def decode(data: bytes) -> str:
    """Decodes UTF-8 from a bundle. Raises CorruptBundleError if it is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        pass
    raise _not_utf8()


def _not_utf8() -> CorruptBundleError:
    return CorruptBundleError("the bundle is damaged, a word is not UTF-8: download or export it again")


def token(native: _core.Token) -> Token:
    """Converts a native token."""
    return Token(
        kind=native.kind,
        byte_begin=native.byte_begin,
        byte_end=native.byte_end,
        utf16_begin=native.utf16_begin,
        utf16_end=native.utf16_end,
        word_id=native.word,
    )


def privatized_text(result: _core.Result) -> PrivatizedText:
    """The public form of the result of one native call."""
    made = object.__new__(PrivatizedText)
    for name, value in (("text", decode(result.text)), ("cost", public(Cost, result.cost)), ("_native", result)):
        object.__setattr__(made, name, value)
    return made


def document_of(result: _core.Result) -> dict[str, Any]:
    """The same as `privatized_text(result).to_dict()`, without creating the records."""
    cost = result.cost
    return {
        "text": decode(result.text),
        "tokens": [dict(zip(_TOKEN_FIELDS, row, strict=True)) for row in rows_of(result)],
        "cost": {name: plain(getattr(cost, name)) for name in _COST_FIELDS},
    }


def cost_of(results: Sequence[_core.Result]) -> Cost:
    """The total cost of one or more releases of one privatizer. Rounded up, like the sum of their costs."""
    costs = [result.cost for result in results]
    return Cost(
        epsilon=costs[0].epsilon,
        average=sum_rounded_up([cost.average for cost in costs]),
        worst_case=sum_rounded_up([cost.worst_case for cost in costs]),
        words=sum(cost.words for cost in costs),
        unknown=sum(cost.unknown for cost in costs),
        dropped=sum(cost.dropped for cost in costs),
        verbatim=sum(cost.verbatim for cost in costs),
        public_words=sum(cost.public_words for cost in costs),
        epsilon_unit=costs[0].epsilon_unit,
    )


def rows_of(result: _core.Result) -> list[tuple[TokenKind, int, int, int, int, str | None]]:
    """The fields of each token. Raises CorruptBundleError if words of the bundle are not UTF-8."""
    try:
        return result.rows
    except UnicodeDecodeError:
        pass
    raise _not_utf8()
