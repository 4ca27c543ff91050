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
"""The same of a report."""
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

    mechanism: "brr", randomized response on the bits of the code, then the nearest word; "tem", the truncated
        exponential mechanism on the distance of codes; "crowd", with a fixed probability a word of the typed word's
        crowd, otherwise any output word; None for the bundle's default.
    epsilon: finite, 0 or more; per differing bit, or per word for "crowd". None for the bundle's default for that
        mechanism, if it has one. The privatizer's `info` states the cost for one token, and the effective epsilon,
        which is never more than the requested one.
    beta: for "tem": the probability of a word beyond the truncation distance, strictly between 0 and 1.
    oov: how to treat a token outside the vocabulary. "random": a word that does not depend on it; "drop": left out;
        "mask": replaced by `mask`, which reveals that it was unknown; "error": the call fails; "verbatim-unsafe":
        passed through as typed, with NO privacy, and an infinite cost.
    punctuation: "drop", or "privatize" to treat it like words.
    mask: 1 to 64 bytes in UTF-8.
    device_key: None for fresh noise in every release. For memoized noise, 32 secret bytes, `secrets.token_bytes(32)`,
        that stay on this device. Within an epoch the same word then always becomes the same word. Repeats are visible
        as repeats, but the noise cannot be averaged away. Anyone who has the key can undo the noise.
    epoch: with a device key: a different number gives different noise, 0 to 2**64 - 1.
    budget: the cost of every release is spent there first; if its caps do not allow it, nothing is released.
    audit_log: a file to which every release appends one line of JSON: day, bundle, mechanism, epsilon, cost and counts,
        never text.
    search: how "brr" searches the nearest words. This changes only the time, not the answers. "auto": the method that
        export determined to be the fastest at this noise; "rows": compare every code; "clusters" and "mih": use these
        sections of the bundle.
    crowd_size: for "crowd" alone: "one", only the word; "few", for counting; "many", for meaning; None for the bundle's
        default.
    allow_unchanged: use an epsilon that leaves more than about half of the words as they were typed. Without it such an
        epsilon is an InvalidArgumentError: for "brr" and "tem" above about 1.05 times the bundle's default, for "crowd"
        where a word drawn by its weight stays itself with a chance above 1/2 (docs/privacy.md).
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

    epsilon: the local-DP epsilon of a whole text, finite, 0 or more.
    punctuation: "drop" leaves it out of the text's vector, "privatize" counts what the vocabulary has like words.
    device_key: None for fresh randomness for every text. Otherwise 32 secret bytes, `secrets.token_bytes(32)`, that
        stay on this device: within an epoch the same text then always has the same embedding, so a repeat reveals only
        that it is one. Anyone who has the key can test guesses of the text.
    epoch: with a device key: a different number gives different embeddings, 0 to 2**64 - 1.
    budget: epsilon is spent there first, and one token counted; if its caps do not allow it, nothing is released.
    audit_log: a file to which every embedding appends one line of JSON: day, bundle and cost, nothing about the text.
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

    values: what reports are about: "words" for the bundle's output words, "emoji", "new-words" for words that the
        bundle lacks, or a list of values: 2 to 2**24 different strings, not empty and without line breaks.
    epsilon: the local-DP epsilon of a whole text, 0.01 to 16.
    punctuation: of words: "drop" passes it over, "privatize" reports what the vocabulary has like words.
    skin_tones: of emoji: whether emoji with skin tones are values of their own; otherwise tones are left out.
    none: of a list: whether value 0 is "none", for texts that are no value; otherwise they are an error.
    pass_over: of words: public words that are never reported, as the vocabulary spells them; others are ignored.
    device_key: None for fresh randomness for every report. Otherwise 32 secret bytes, `secrets.token_bytes(32)`, that
        stay on this device: within an epoch the same text then always has the same report, so a repeat reveals only
        that it is one. Anyone who has the key can test guesses of the text.
    epoch: with a device key: a different number gives different reports, 0 to 2**64 - 1.
    budget: epsilon is spent there first, and one token counted; if its caps do not allow it, nothing is released.
    audit_log: a file to which every report appends one line of JSON: day, values and cost, nothing about the text.
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
