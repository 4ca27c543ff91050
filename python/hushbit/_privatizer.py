"""Privatizers replace the words of a text by words drawn at random."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hushbit import _core
from hushbit._budget import Budget
from hushbit._described import Described
from hushbit._many import released_in_order, threads_for
from hushbit._options import CrowdSize, EpsilonUnit, Mechanism, OovPolicy, PrivatizerOptions, PunctuationPolicy
from hushbit._plumbing.paths import path_bytes
from hushbit._plumbing.records import Record, public
from hushbit._text import PrivatizedText, encode, privatized_text
from hushbit.errors import InvalidArgumentError, UnknownWordError

if TYPE_CHECKING:
    from hushbit._bundle import Bundle


@dataclass(frozen=True, slots=True)
class PrivatizerInfo(Record):
    """The promises of a privatizer, computed from the integers with which it draws.

    mechanism: "brr", "tem" or "crowd".
    epsilon_unit: the unit of both epsilons: differing "bit" ("brr", "tem") or "word" ("crowd").
    requested_epsilon: the requested epsilon.
    effective_epsilon: the epsilon that actually holds, never above the requested one.
    flip_threshold: for "brr": a bit flips if a uniform 64-bit integer is below this number; otherwise 0.
    flip_probability: flip_threshold / 2**64, in (0, 0.5]; 0 for other mechanisms than "brr".
    gamma: for "tem": the truncation distance in bits (Theorem 4.2 of its paper), where `bits` means no truncation;
        otherwise 0.
    average_per_token: effective_epsilon times P_avg, or the worst case of two words if that is less ("tem").
    worst_case_per_token: the local-DP epsilon of one token: effective_epsilon times P_max (for "tem" the range of its
        weights, if that is less), or the cost of distinguishing a word from an unknown token under the OOV policy
        "random", if that is more.
    clamped: whether the requested epsilon was above what the integers can express (about 44.36 for "brr") and was
        lowered.
    memoized: whether a device key was given, so that noise repeats within an epoch.
    crowd_size: the size of crowds, "one", "few" or "many"; None for other mechanisms, for which the next five fields
        are 0.
    crowd_mass: m, the sum of the shares in a crowd, which is the same for all crowds.
    output_mass: M, the sum of the weights of all output words.
    crowd_threshold: the replacement comes from the crowd if a uniform 64-bit integer is below this number.
    crowd_probability: crowd_threshold / 2**64.
    mean_crowd: the mean number of words in a crowd, over at most 1024 evenly spaced output words.
    output_words: the number of output words of the bundle.
    public_words: the number of public words of the bundle. Promises hold between texts with the same public words in
        the same places.
    """

    mechanism: Mechanism
    epsilon_unit: EpsilonUnit
    requested_epsilon: float
    effective_epsilon: float
    flip_threshold: int
    flip_probability: float
    gamma: int
    average_per_token: float
    worst_case_per_token: float
    clamped: bool
    memoized: bool
    crowd_size: CrowdSize | None
    crowd_mass: int
    output_mass: int
    crowd_threshold: int
    crowd_probability: float
    mean_crowd: float
    output_words: int
    public_words: int


def _epsilon_of(bundle: Bundle, options: PrivatizerOptions) -> float | None:
    """The epsilon to request, or None for that of the bundle's default mechanism."""
    info = bundle.info
    if options.epsilon is not None or options.mechanism is None or options.mechanism == info.default_mechanism:
        return options.epsilon
    default = {"brr": info.default_epsilon_brr, "tem": info.default_epsilon_tem}.get(options.mechanism, 0.0)
    if default > 0:
        return default
    raise InvalidArgumentError(
        f"the bundle's default epsilon is meant for {info.default_mechanism}: give an epsilon for {options.mechanism}"
    )


@dataclass(frozen=True, slots=True)
class CrowdMember(Record):
    """A word of a crowd, and the probability with which the typed word becomes it."""

    word: str
    probability: float


class Privatizer(Described):
    """A mechanism, an epsilon and policies for one bundle. Created by `Bundle.privatizer`.

    Immutable. Any number of threads may use the same privatizer at once: the core releases the interpreter lock. Every
    call draws fresh randomness from the operating system, unless there is a device key.

    It is pickled as its description: the path and hash of the bundle, and the options. The same bundle must be at that
    path where it is unpickled, otherwise InvalidArgumentError. Raises TypeError with the reason if it has a device key,
    a budget or an audit log, which must stay on their machine, or if its bundle was not opened by a path.
    """

    __slots__ = ("_budget", "_bundle", "_chosen", "_info", "_native", "_oov", "_punctuation")
    _OPTIONS = PrivatizerOptions
    _bundle: Bundle
    _info: PrivatizerInfo

    def __init__(self, bundle: Bundle, options: PrivatizerOptions) -> None:
        mechanism = options.mechanism or bundle.info.default_mechanism
        if options.crowd_size is not None and mechanism != "crowd":
            raise InvalidArgumentError(
                f"crowd_size is only used by the mechanism crowd, not by {mechanism}: leave it out"
            )
        self._bundle = bundle
        self._chosen = options.chosen()
        self._budget = options.budget
        self._oov = options.oov
        self._punctuation = options.punctuation
        self._native = _core.Privatizer(
            bundle._native,
            mechanism=options.mechanism,
            epsilon=_epsilon_of(bundle, options),
            beta=options.beta,
            oov=options.oov,
            punctuation=options.punctuation,
            mask=encode(options.mask, "mask"),
            device_key=options.device_key,
            epoch=options.epoch,
            budget=None if options.budget is None else options.budget._native,
            audit_log=None if options.audit_log is None else path_bytes(options.audit_log),
            search=options.search,
            crowd_size=options.crowd_size,
            allow_unchanged=options.allow_unchanged,
        )
        self._info = public(PrivatizerInfo, self._native.info())

    @property
    def bundle(self) -> Bundle:
        """The bundle from which it draws words."""
        return self._bundle

    @property
    def info(self) -> PrivatizerInfo:
        """Its promises: the requested and the effective epsilon, and the cost for one token."""
        return self._info

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism.

        "brr" is randomized response on the bits of a code, then the nearest word. "tem" is the truncated exponential
        mechanism, which draws a word by its distance. "crowd" draws a word of the crowd, or any output word.
        """
        return self._info.mechanism

    @property
    def budget(self) -> Budget | None:
        """The budget from which every release is spent, if there is one."""
        return self._budget

    @property
    def oov(self) -> OovPolicy:
        """How a token that is not in the vocabulary is treated."""
        return self._oov

    @property
    def punctuation(self) -> PunctuationPolicy:
        """How punctuation is treated."""
        return self._punctuation

    def privatize(self, text: str) -> PrivatizedText:
        """Privatizes one text, of any length.

        Raises TypeError if `text` is not a str, InvalidTextError for a lone surrogate, UnknownWordError for a token
        outside the vocabulary if the OOV policy is "error", RandomnessFailedError, OutOfMemoryError, and
        CorruptBundleError if the bundle is damaged where it was read; with a budget also BudgetExhaustedError,
        CorruptBudgetError, UnsupportedBudgetError and StorageFailedError; with an audit log StorageFailedError. After
        an error nothing was released. Errors contain no part of the text; `position` is the byte to which they refer.
        """
        return privatized_text(self._native.privatize(encode(text)))

    def privatize_many(self, texts: Iterable[str], *, threads: int | None = None) -> Iterator[PrivatizedText]:
        """Privatizes texts on several threads. Yields the results lazily, in the order of the texts.

        Memory is bounded: a few hundred texts are read ahead for each thread, regardless of the total number.

        threads: the number of threads, 1 or more (default: None, one for each CPU).

        The call itself raises TypeError, also for a dict or a data frame, and InvalidArgumentError. When the turn of
        the first text that fails comes, the iterator raises what `privatize` raises, with a note that gives the index
        of the text.

        Each text is one release, and their costs add up. With a budget nothing is read ahead: the cost of a text is
        spent when its result is requested, and texts after one that fails are not spent.
        """
        if isinstance(texts, Mapping) or hasattr(texts, "collect_schema") or hasattr(texts, "columns"):
            raise TypeError(
                f"texts is a {type(texts).__name__}, whose names, not texts, would be privatized: give one column of "
                "it, or use hushbit.corpus.privatize"
            )
        count = threads_for(texts, threads, "privatize")
        return released_in_order(
            self._native.privatize_lines, privatized_text, texts, count, ahead=self._budget is None
        )

    def crowd(self, word: str) -> tuple[CrowdMember, ...]:
        """The crowd of a word: the words that it becomes with a higher probability than other words do.

        The most likely comes first. The crowd is empty unless the mechanism is "crowd". It depends on the word as typed
        and must not be sent. Raises UnknownWordError if the word is not in the vocabulary, spelled as there.
        """
        info = self._info
        word_id = self._bundle.find(word)
        if word_id is None:
            raise UnknownWordError("the word is not in the vocabulary: words are matched exactly as spelled there")
        if info.mechanism != "crowd":
            return ()
        members = [
            CrowdMember(
                self._bundle.word(member),
                info.crowd_probability * share / info.crowd_mass
                + (1 - info.crowd_probability) * weight / info.output_mass,
            )
            for member, share, weight in _core.crowd(self._native, word_id).tolist()
        ]
        return tuple(sorted(members, key=lambda member: -member.probability))

    def __repr__(self) -> str:
        info = self._info
        terms = "per word"
        if info.epsilon_unit == "bit":
            terms = (
                f"per differing bit = {info.average_per_token:.4g} per token on average, "
                f"{info.worst_case_per_token:.4g} at worst"
            )
        return (
            f"<hushbit.Privatizer {info.mechanism}, epsilon {info.effective_epsilon:.4g} {terms}; "
            f"oov {self._oov}, punctuation {self._punctuation}{', memoized' if info.memoized else ''}>"
        )
