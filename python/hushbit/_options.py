"""The options of a privatizer. Their names, defaults and allowed values are defined here and nowhere else in Python.

The values are the same as in the C header; a test compares them.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from functools import update_wrapper
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Concatenate, Literal, ParamSpec, SupportsFloat, SupportsIndex, TypeVar, get_args

from hushbit.errors import InvalidArgumentError

if TYPE_CHECKING:
    from hushbit._budget import Budget

Owner = TypeVar("Owner")
Made = TypeVar("Made")
Chosen = TypeVar("Chosen")
Arguments = ParamSpec("Arguments")

Mechanism = Literal["brr", "tem", "crowd"]
EpsilonUnit = Literal["bit", "word", "text"]
CrowdSize = Literal["one", "few", "many"]
OovPolicy = Literal["random", "drop", "mask", "error", "verbatim-unsafe"]
PunctuationPolicy = Literal["drop", "privatize"]
ReportedValues = Literal["words", "emoji", "new-words"]
Search = Literal["auto", "rows", "clusters", "mih"]

MECHANISMS: tuple[Mechanism, ...] = get_args(Mechanism)
ON_CODES: tuple[Mechanism, ...] = ("brr", "tem")
"""The mechanisms whose epsilon is per differing bit of a code."""
CROWD_SIZES: tuple[CrowdSize, ...] = get_args(CrowdSize)
OOV_POLICIES: tuple[OovPolicy, ...] = get_args(OovPolicy)
PUNCTUATION_POLICIES: tuple[PunctuationPolicy, ...] = get_args(PunctuationPolicy)
SEARCHES: tuple[Search, ...] = get_args(Search)
REPORTED_VALUES: tuple[ReportedValues, ...] = get_args(ReportedValues)

EMBEDDER_EPSILON = 2.0
"""The default ε of a whole text."""
REPORTER_EPSILON = 2.0
"""The default ε of a whole text that is reported."""
LEAST_REPORT_EPSILON, MOST_REPORT_EPSILON = 0.01, 16.0
DEVICE_KEY_BYTES = 32
MAX_MASK_BYTES = 64


def _chosen(options: PrivatizerOptions | EmbedderOptions | ReporterOptions) -> dict[str, object]:
    kept = {}
    for known in fields(options):
        value = getattr(options, known.name)
        if known.name not in ("device_key", "budget") and value != known.default:
            kept[known.name] = tuple(value) if isinstance(value, list) else value
    return kept


def _require_one_of(choices: tuple[str, ...], value: str, name: str) -> None:
    if value not in choices:
        raise InvalidArgumentError(f"{name} is {value!r}; it must be one of: {', '.join(choices)}")


def _check_memo(device_key: bytes | None, epoch: int) -> None:
    if device_key is not None:
        if not isinstance(device_key, bytes):
            raise TypeError(f"device_key must be bytes, not {type(device_key).__name__}")
        if len(device_key) != DEVICE_KEY_BYTES:
            raise InvalidArgumentError(f"device_key has {len(device_key)} bytes; it must have {DEVICE_KEY_BYTES}")
    if not isinstance(epoch, int):
        raise TypeError(f"epoch must be a whole number, not {type(epoch).__name__}")
    if not 0 <= epoch < 1 << 64:
        raise InvalidArgumentError(f"epoch is {epoch}; it must be 0 to 2**64 - 1")


def _number(value: object, name: str) -> float:
    """A number, of Python or numpy, and no text that would have to be read as one."""
    if not isinstance(value, SupportsFloat | SupportsIndex):
        raise TypeError(f"{name} must be a number, not {type(value).__name__}")
    return float(value)


def _check_epsilon(epsilon: float) -> None:
    if not 0 <= _number(epsilon, "epsilon") < math.inf:
        raise InvalidArgumentError(f"epsilon is {float(epsilon)}; it must be a finite number, 0 or more")


def _check_budget(budget: object) -> None:
    if budget is not None and not hasattr(budget, "spend"):
        raise TypeError(f"budget must be a hushbit.Budget, not {type(budget).__name__}")


@dataclass(frozen=True, slots=True)
class PrivatizerOptions:
    """The options of a privatizer. Raises InvalidArgumentError for an impossible value, TypeError for a wrong type.

    mechanism: the mechanism that draws words (default: None, that of the bundle). "brr": randomized response on the
        bits of the code, then the nearest word. "tem": the truncated exponential mechanism on the distance of codes.
        "crowd": with a fixed probability a word of the typed word's crowd, otherwise any output word.
    epsilon: the privacy parameter, finite, 0 or more: per differing bit, or per word for "crowd" (default: None, the
        bundle's default for the mechanism, if it has one). The privatizer's `info` states the cost of one
        token, and the effective epsilon, which is never more than the requested one.
    beta: for "tem": the probability of a word beyond the truncation distance, strictly between 0 and 1 (default:
        0.001).
    oov: the treatment of a token outside the vocabulary (default: "random"). "random": it is replaced by a word that
        does not depend on it. "drop": it is left out. "mask": it is replaced by `mask`, which reveals that it was
        unknown. "error": the call fails. "verbatim-unsafe": it is passed through as typed, with NO privacy, and an
        infinite cost.
    punctuation: the treatment of punctuation (default: "drop"). "drop": it is left out. "privatize": it is treated like
        words.
    mask: the replacement for the policy "mask", 1 to 64 bytes in UTF-8 (default: "[unk]").
    device_key: the key of memoized noise: 32 secret bytes, `secrets.token_bytes(32)`, that stay on this device
        (default: None, fresh noise in every release). With a key, the same word always becomes the same word within an
        epoch. Repeats are visible as repeats, but the noise cannot be averaged away. Anyone who has the key can undo
        the noise.
    epoch: the number of the epoch, 0 to 2**64 - 1, used with a device key; the noise is different in each epoch
        (default: 0).
    budget: the budget from which the cost of every release is spent first (default: None). If its caps do not allow the
        cost, nothing is released.
    audit_log: the path of a file to which every release appends one line of JSON: day, bundle, mechanism, epsilon, cost
        and counts, never text (default: None).
    search: how "brr" searches for the nearest words (default: "auto"). This changes only the time, not the answers.
        "auto": the method that export found to be the fastest at this noise. "rows": every code is compared. "clusters"
        and "mih": these sections of the bundle are used.
    crowd_size: the size of crowds, for "crowd" alone (default: None, that of the bundle). "one": only the word. "few":
        a few words, for counting. "many": many words, for meaning.
    allow_unchanged: whether an epsilon is accepted that leaves more than about half of the words as they were typed
        (default: False). If not, such an epsilon raises InvalidArgumentError: for "brr" and "tem" one above about 1.05
        times the bundle's default, for "crowd" one at which a word drawn by its weight stays itself with a chance above
        1/2 (docs/privacy.md).
    """

    mechanism: Mechanism | None = None
    epsilon: float | None = None
    _: KW_ONLY
    beta: float = 0.001
    oov: OovPolicy = "random"
    punctuation: PunctuationPolicy = "drop"
    mask: str = "[unk]"
    device_key: bytes | None = field(default=None, repr=False)
    epoch: int = 0
    budget: Budget | None = None
    audit_log: str | os.PathLike[str] | None = None
    search: Search = "auto"
    crowd_size: CrowdSize | None = None
    allow_unchanged: bool = False

    def chosen(self) -> dict[str, object]:
        """The fields that differ from the defaults, except the device key and the budget, which must not be copied."""
        return _chosen(self)

    def __post_init__(self) -> None:
        if self.mechanism is not None:
            _require_one_of(MECHANISMS, self.mechanism, "mechanism")
        if self.crowd_size is not None:
            _require_one_of(CROWD_SIZES, self.crowd_size, "crowd_size")
        _require_one_of(OOV_POLICIES, self.oov, "oov")
        _require_one_of(PUNCTUATION_POLICIES, self.punctuation, "punctuation")
        _require_one_of(SEARCHES, self.search, "search")
        if self.epsilon is not None:
            _check_epsilon(self.epsilon)
        _number(self.beta, "beta")
        _check_memo(self.device_key, self.epoch)
        _check_budget(self.budget)


DEFAULTS = PrivatizerOptions()


@dataclass(frozen=True, slots=True)
class EmbedderOptions:
    """The options of an embedder. Raises InvalidArgumentError for an impossible value, TypeError for a wrong type.

    epsilon: the local-DP epsilon of a whole text, finite, 0 or more (default: 2.0).
    punctuation: the treatment of punctuation (default: "drop"). "drop": it is left out of the text's vector.
        "privatize": punctuation that is in the vocabulary counts like words.
    device_key: the key of memoized randomness: 32 secret bytes, `secrets.token_bytes(32)`, that stay on this device
        (default: None, fresh randomness for every text). With a key, the same text always has the same embedding within
        an epoch, so a repeat reveals only that it is one. Anyone who has the key can test guesses of the text.
    epoch: the number of the epoch, 0 to 2**64 - 1, used with a device key; the embeddings are different in each epoch
        (default: 0).
    budget: the budget from which epsilon is spent first, and in which one token is counted (default: None). If its caps
        do not allow it, nothing is released.
    audit_log: the path of a file to which every embedding appends one line of JSON: day, bundle and cost, nothing about
        the text (default: None).
    """

    epsilon: float = EMBEDDER_EPSILON
    _: KW_ONLY
    punctuation: PunctuationPolicy = "drop"
    device_key: bytes | None = field(default=None, repr=False)
    epoch: int = 0
    budget: Budget | None = None
    audit_log: str | os.PathLike[str] | None = None

    def chosen(self) -> dict[str, object]:
        """The fields that differ from the defaults, except the device key and the budget, which must not be copied."""
        return _chosen(self)

    def __post_init__(self) -> None:
        _require_one_of(PUNCTUATION_POLICIES, self.punctuation, "punctuation")
        _check_epsilon(self.epsilon)
        _check_memo(self.device_key, self.epoch)
        _check_budget(self.budget)


EMBEDDER_DEFAULTS = EmbedderOptions()


@dataclass(frozen=True, slots=True)
class ReporterOptions:
    """The options of a reporter. Raises InvalidArgumentError for an impossible value, TypeError for a wrong type.

    values: what reports are about (default: "words"). "words": the bundle's output words. "emoji": emoji. "new-words":
        words that the bundle lacks. A list: 2 to 2**24 values, "none" included: different strings, not empty and
        without line breaks.
    epsilon: the local-DP epsilon of a whole text, 0.01 to 16 (default: 2.0).
    punctuation: the treatment of punctuation in reports about words (default: "drop"). "drop": it is never reported.
        "privatize": punctuation that is in the vocabulary is reported like words.
    skin_tones: for emoji: whether emoji with skin tones are values of their own (default: False). If not, the tones are
        left out.
    none: for a list: whether value 0 is "none", for texts that are not in the list (default: False). If not, such texts
        raise UnknownWordError.
    pass_over: for words: public words that are never reported, spelled as in the vocabulary (default: none). Words that
        the vocabulary lacks are ignored.
    device_key: the key of memoized randomness: 32 secret bytes, `secrets.token_bytes(32)`, that stay on this device
        (default: None, fresh randomness for every report). With a key, the same text always has the same report within
        an epoch, so a repeat reveals only that it is one. Anyone who has the key can test guesses of the text.
    epoch: the number of the epoch, 0 to 2**64 - 1, used with a device key; the reports are different in each epoch
        (default: 0).
    budget: the budget from which epsilon is spent first, and in which one token is counted (default: None). If its caps
        do not allow it, nothing is released.
    audit_log: the path of a file to which every report appends one line of JSON: day, values and cost, nothing about
        the text (default: None).
    """

    values: ReportedValues | Sequence[str] = "words"
    epsilon: float = REPORTER_EPSILON
    _: KW_ONLY
    punctuation: PunctuationPolicy = "drop"
    skin_tones: bool = False
    none: bool = False
    pass_over: Sequence[str] = ()
    device_key: bytes | None = field(default=None, repr=False)
    epoch: int = 0
    budget: Budget | None = None
    audit_log: str | os.PathLike[str] | None = None

    def chosen(self) -> dict[str, object]:
        """The fields that differ from the defaults, except the device key and the budget, which must not be copied."""
        return _chosen(self)

    def __post_init__(self) -> None:
        if isinstance(self.values, str):
            _require_one_of(REPORTED_VALUES, self.values, "values")
        else:
            _require_lines(self.values, "values")
        if isinstance(self.pass_over, str):
            raise TypeError("pass_over must be a list of words, not a str")
        _require_lines(self.pass_over, "pass_over")
        _require_one_of(PUNCTUATION_POLICIES, self.punctuation, "punctuation")
        if not LEAST_REPORT_EPSILON <= _number(self.epsilon, "epsilon") <= MOST_REPORT_EPSILON:
            raise InvalidArgumentError(
                f"epsilon is {float(self.epsilon)}; that of a report must be {LEAST_REPORT_EPSILON} to "
                f"{MOST_REPORT_EPSILON}"
            )
        _check_memo(self.device_key, self.epoch)
        _check_budget(self.budget)


def _require_lines(values: Sequence[str], name: str) -> None:
    for index, value in enumerate(values):
        if not isinstance(value, str):
            raise TypeError(f"{name} must be str, not {type(value).__name__} (at index {index})")
        if not value or "\n" in value:
            raise InvalidArgumentError(f"{name} has {'a line break' if value else 'nothing'} at index {index}")


REPORTER_DEFAULTS = ReporterOptions()


def with_options_of(
    options: Callable[Arguments, Chosen],
) -> Callable[[Callable[[Owner, Chosen], Made]], Callable[Concatenate[Owner, Arguments], Made]]:
    """Turns a method that takes a record of options into one that takes the fields of the record as arguments."""

    def take_fields(method: Callable[[Owner, Chosen], Made]) -> Callable[Concatenate[Owner, Arguments], Made]:
        def taking_fields(self: Owner, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Made:
            return method(self, options(*args, **kwargs))

        update_wrapper(taking_fields, method)
        parameters = [Parameter("self", Parameter.POSITIONAL_ONLY), *signature(options).parameters.values()]
        shown = signature(method).replace(parameters=parameters)
        taking_fields.__signature__ = shown  # type: ignore[attr-defined]
        return taking_fields

    return take_fields
