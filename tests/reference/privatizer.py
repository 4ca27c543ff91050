"""Text in, privatized text and its cost out, as native/include/hushbit/hushbit.h describes it."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from . import brr, coin, crowd, memo, millionths, tem
from .brr import Code, Source
from .bundle_file import BundleFile
from .tokenizer import Token, Tokenizer

Oov = Literal["random", "drop", "mask", "error", "verbatim-unsafe"]
Punctuation = Literal["drop", "privatize"]
Mechanism = Literal["brr", "tem", "crowd"]


class UnknownWordError(Exception):
    """A token is not in the vocabulary and the policy is to refuse; `position` is its first byte."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


@dataclass(frozen=True)
class Placed:
    """A token with its word id and its ranges; `output` is None for a token that was left out."""

    kind: str
    id: int | None
    bytes: tuple[int, int]
    utf16: tuple[int, int]
    output: tuple[int, int] | None


@dataclass(frozen=True)
class Cost:
    """`hushbit_cost`."""

    epsilon: float
    average: float
    worst_case: float
    words: int
    unknown: int
    dropped: int
    verbatim: int
    public_words: int


@dataclass(frozen=True)
class Released:
    """What one call released, and the noisy codes on the way."""

    text: bytes
    tokens: list[Placed]
    cost: Cost
    noisy_codes: list[Code]


def _utf16_units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


class Privatizer:
    """BRR, TEM or crowds at `epsilon` over a bundle, with the policies of the C interface.

    A device key of 32 bytes makes its noise memoized.
    """

    def __init__(
        self,
        bundle: BundleFile,
        epsilon: float,
        oov: Oov = "random",
        punctuation: Punctuation = "drop",
        mask: bytes = b"[unk]",
        mechanism: Mechanism = "brr",
        beta: float = 0.001,
        device_key: bytes | None = None,
        epoch: int = 0,
        crowd_size: crowd.CrowdSize | None = None,
    ) -> None:
        epsilon += 0.0  # which makes 0 of -0
        self._bundle = bundle
        self._oov = oov
        self._punctuation = punctuation
        self._mask = mask
        self._tokenizer = Tokenizer(bundle.ids, bundle.max_word_bytes, bundle.long_numbers)
        self.threshold = 0
        self.weights: tem.Weights | None = None
        self.crowds: crowd.Crowds | None = None
        if mechanism == "crowd":
            sizes: dict[int, crowd.CrowdSize] = {1: "one", 2: "few"}
            size = crowd_size or sizes.get(bundle.crowd, "many")
            self.crowds = crowds = crowd.crowds_of(bundle.tables, bundle.codes, size, epsilon)
            self.epsilon = min(epsilon, crowd.epsilon_of(crowds.limit, crowds.mass, crowds.total))
            unknown = worst = Fraction(self.epsilon)
            parameters = (crowds.limit, crowd.SIZE_NUMBERS[size] << 32 | crowds.row)
        elif mechanism == "brr":
            self.threshold = coin.flip_threshold(epsilon)
            self.epsilon = min(epsilon, coin.effective_epsilon(epsilon))
            unknown = Fraction(coin.unknown_word_cost(self.threshold, bundle.bits))
            worst = Fraction(self.epsilon) * bundle.max_distance
            parameters = (self.threshold, 0)
        else:
            self.weights = tem.weights(epsilon, beta, len(bundle.codes), bundle.bits)
            self.epsilon = min(epsilon, self.weights.epsilon)
            unknown = min(Fraction(self.weights.log_range), Fraction(epsilon) * self.weights.gamma / 2)
            worst = min(Fraction(self.epsilon) * bundle.max_distance, 2 * unknown)
            parameters = (memo.double_bits(epsilon), memo.double_bits(beta))
        self.average_per_token = min(self.epsilon * bundle.average_distance, float(worst))
        if oov == "random":
            worst = max(worst, unknown)
        self._token_cost = millionths.above(worst)
        if mechanism == "crowd":
            if self.epsilon == epsilon:
                self._token_cost = millionths.stated(epsilon)
            self.average_per_token = millionths.cost(self._token_cost)
        self.worst_case_per_token = millionths.cost(self._token_cost)
        self._terms = None
        if device_key is not None:
            self._terms = memo.Terms(device_key, bundle.hash, mechanism, parameters, epoch)

    def tokens(self, text: str) -> list[Token]:
        """Only the tokens."""
        return self._tokenizer.tokenize(text)

    def _action(self, token: Token) -> str:
        """What becomes of a token: noise, or the name of a policy."""
        if token.kind == "punctuation" and self._punctuation == "drop":
            return "drop"
        if token.form is not None:
            return "public" if self._bundle.ids[token.form.encode()] in self._bundle.tables.public else "noise"
        return "noise" if self._oov == "random" else self._oov

    def _input(self, token: Token) -> int | None:
        """The output index of the stand-in; None for an unknown token."""
        return None if token.form is None else self._bundle.tables.standins[self._bundle.ids[token.form.encode()]]

    def _source(self, text: str, token: Token, source: Source | None) -> Source:
        """The source of a token's noise: the call's source, or a keystream of its own."""
        if self._terms is None:
            if source is None:
                raise ValueError("fresh noise needs a source")
            return source
        if token.form is not None:
            return memo.source(self._terms, 0, token.form.encode())
        return memo.source(self._terms, 1, memo.unknown_bytes(text[token.begin : token.end]))

    def privatize(self, text: str, source: Source | None) -> Released:
        """Privatizes a text. No source is needed with a device key. UnknownWordError under the policy `error`."""
        tokens = self.tokens(text)
        actions = [self._action(token) for token in tokens]
        if "error" in actions:
            raise UnknownWordError(len(text[: tokens[actions.index("error")].begin].encode()))
        noised = [token for token, action in zip(tokens, actions, strict=True) if action == "noise"]
        inputs = [self._input(token) for token in noised]
        codes = [None if index is None else self._bundle.codes[index] for index in inputs]
        sources = [self._source(text, token, source) for token in noised]
        noisy: list[Code] = []
        if self.crowds is not None:
            drawn = crowd.replace(self.crowds, inputs, sources)
        elif self.weights is None:
            drawn, noisy = brr.replace(codes, self._bundle.codes, self.threshold, sources)
        else:
            drawn = tem.replace(codes, self._bundle.codes, self.weights, sources)
        words = iter(self._bundle.tables.outputs[index] for index in drawn)
        output = b""
        placed: list[Placed] = []
        for token, action in zip(tokens, actions, strict=True):
            replacement = {"noise": None, "drop": None, "mask": self._mask}.get(
                action, text[token.begin : token.end].encode()
            )
            if action == "noise":
                replacement = self._bundle.words[next(words)]
            if action == "public":  # as the vocabulary spells it
                replacement = (token.form or "").encode()
            begin = len(output) + (1 if output else 0)
            if replacement is not None:
                output += (b" " if output else b"") + replacement
            placed.append(self._place(text, token, None if replacement is None else (begin, len(output))))
        return Released(output, placed, self._cost(tokens, actions), noisy)

    def _place(self, text: str, token: Token, output: tuple[int, int] | None) -> Placed:
        before, upto = text[: token.begin], text[: token.end]
        id = None if token.form is None else self._bundle.ids[token.form.encode()]
        bytes_ = (len(before.encode()), len(upto.encode()))
        return Placed(token.kind, id, bytes_, (_utf16_units(before), _utf16_units(upto)), output)

    def _average(self, noised: int) -> float:
        return noised * self.average_per_token if self.crowds is None else millionths.cost(noised * self._token_cost)

    def _cost(self, tokens: list[Token], actions: list[str]) -> Cost:
        pairs = list(zip(tokens, actions, strict=True))
        noised = actions.count("noise")
        verbatim = actions.count("verbatim-unsafe")
        words = sum(action == "noise" and token.form is not None for token, action in pairs)
        left_out_punctuation = self._punctuation == "drop"
        unknown = sum(
            token.form is None and not (token.kind == "punctuation" and left_out_punctuation) for token in tokens
        )
        return Cost(
            self.epsilon,
            math.inf if verbatim else self._average(noised),
            math.inf if verbatim else millionths.cost(noised * self._token_cost),
            words,
            unknown,
            actions.count("drop"),
            verbatim,
            actions.count("public"),
        )
