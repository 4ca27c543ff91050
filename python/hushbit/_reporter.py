"""Reporters: a whole text in, one report about one of its values out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from hushbit import _core
from hushbit._budget import Budget
from hushbit._described import Described
from hushbit._many import joined, threads_for
from hushbit._options import ReporterOptions
from hushbit._plumbing.paths import path_bytes
from hushbit._plumbing.records import Record, public
from hushbit._text import decode, encode
from hushbit.errors import InvalidArgumentError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from hushbit._bundle import Bundle

REPORT_VERSION = 1
"""Of what a report is (docs/counting.md)."""


@dataclass(frozen=True, slots=True)
class ReporterInfo(Record):
    """The promises of a reporter, computed from the integers with which it draws, and what counting needs.

    values: what reports are about: "words", "emoji", "list" or "new-words".
    value_count: N, the number of values, none included. They are numbered from 0.
    has_none: whether value 0 is none: a text without anything to report.
    requested_epsilon: the requested epsilon. It determines the design.
    effective_epsilon: the local-DP epsilon of a whole text that actually holds, never above the requested one.
    reports: how many reports there are. They are numbered from 0.
    prime: q, or N - 1 for randomized response.
    dimension: t; 2 for randomized response.
    points: Z, the reports of one group: report = group * points + point.
    set_size: s, the reports of a group that belong to a value.
    groups: of new words: one for each length of a beginning and each hash; otherwise 1.
    threshold: L: a report belongs to its value if a uniform 64-bit integer is below this; otherwise it is any report.
    probability: threshold / 2**64.
    memoized: whether a device key was given: the same text has the same report within an epoch.
    hash: SHA-256 in hex that identifies the values.
    """

    values: Literal["words", "emoji", "list", "new-words"]
    value_count: int
    has_none: bool
    requested_epsilon: float
    effective_epsilon: float
    reports: int
    prime: int
    dimension: int
    points: int
    set_size: int
    groups: int
    threshold: int
    probability: float
    memoized: bool
    hash: str


@dataclass(frozen=True, slots=True)
class Report(Record):
    """What may be released of a whole text.

    report: the number of the report.
    values: the first 16 hexadecimal digits of the hash of the values; reports of different ones cannot be added up.
    epsilon: the requested epsilon of the text.
    version: of what a report is, 1.
    """

    report: int
    values: str
    epsilon: float
    version: int = REPORT_VERSION

    def to_json(self) -> str:
        """One line of JSON, without its end."""
        return json.dumps(self.to_dict())


class Reporter(Described):
    """Values, an epsilon and policies. Created by `Bundle.reporter`, or without a bundle for emoji and lists.

    For any two texts, of any length and of any words, and any report: the probabilities that it is released differ by
    a factor of at most e**epsilon. So length, order and everything else about a text is hidden too.

    Immutable. Any number of threads may use the same reporter at once: the core releases the interpreter lock. Every
    call draws fresh randomness from the operating system, unless there is a device key.

    It is pickled as its description, like a `Privatizer`, and with the same conditions.
    """

    _OPTIONS = ReporterOptions
    _info: ReporterInfo

    def __init__(self, bundle: Bundle | None, options: ReporterOptions) -> None:
        """Raises InvalidArgumentError if an option is out of range or words are to be reported without a bundle."""
        self._bundle = bundle
        self._chosen = options.chosen()
        self._budget = options.budget
        is_list = not isinstance(options.values, str)
        self._native = _core.Reporter(
            None if bundle is None else bundle._native,
            values="list" if is_list else str(options.values),
            epsilon=options.epsilon,
            punctuation=options.punctuation,
            skin_tones=options.skin_tones,
            none=options.none,
            list=_lines(options.values if is_list else (), "values"),
            pass_over=_lines(options.pass_over, "pass_over"),
            device_key=options.device_key,
            epoch=options.epoch,
            budget=None if options.budget is None else options.budget._native,
            audit_log=None if options.audit_log is None else path_bytes(options.audit_log),
        )
        native = self._native.info()
        self._info = public(ReporterInfo, native, hash=native.hash.hex())

    @property
    def bundle(self) -> Bundle | None:
        """The bundle whose words it knows, if it was created with one."""
        return self._bundle

    @property
    def info(self) -> ReporterInfo:
        """Its promises, and what counting needs."""
        return self._info

    @property
    def epsilon(self) -> float:
        """The local-DP epsilon of a whole text that holds: the cost of each report."""
        return self._info.effective_epsilon

    @property
    def budget(self) -> Budget | None:
        """The budget from which every report is spent, if there is one."""
        return self._budget

    @cached_property
    def spellings(self) -> tuple[str, ...]:
        """How each value is spelled, in order; none is the empty string.

        Raises InvalidArgumentError for new words, whose values are buckets of a hash.
        """
        return tuple(decode(spelled) for spelled in self._native.spellings(0, self._info.value_count))

    def report(self, text: str) -> Report:
        """Reports one text, of any length: one of its words, emoji or unknown words, drawn uniformly.

        Of a list the text is a value as a whole. Raises TypeError if `text` is not a str, InvalidTextError for a lone
        surrogate, UnknownWordError for a text that is no value of a list without none, RandomnessFailedError, and
        CorruptBundleError if the bundle is damaged where it was read; with a budget also BudgetExhaustedError,
        CorruptBudgetError, UnsupportedBudgetError and StorageFailedError; with an audit log StorageFailedError. After
        an error nothing was released.
        """
        return report_of(self._native.report(encode(text)))

    def report_value(self, value: int) -> Report:
        """Reports a value by its number. Raises InvalidArgumentError if there is no such value, and as `report`."""
        if not 0 <= value < self._info.value_count:
            raise InvalidArgumentError(f"there is no such value: they are numbered 0 to {self._info.value_count - 1}")
        return report_of(self._native.report_value(value))

    def report_word(self, word: str) -> Report:
        """Reports one new word of which the caller knows that it is new; none if it is not 2 to 24 letters.

        Raises InvalidArgumentError if reports are not about new words, and what `report` raises.
        """
        return report_of(self._native.report_word(encode(word, "word")))

    def report_many(self, texts: Sequence[str], *, threads: int | None = None) -> NDArray[np.uint64]:
        """The numbers of the reports of texts, uint64 (len(texts),): all that must be kept or sent of them.

        Uses several threads (default: one for each CPU; one with a budget). Raises what `report` raises, with a note of
        the text's index. Then no report is returned, and with a budget what was spent stays spent.
        """
        import numpy as np

        wanted = threads_for(texts, threads, "report")
        count = 1 if self._budget is not None else min(wanted, max(len(texts), 1))
        bounds = [len(texts) * part // count for part in range(count + 1)]
        parts = [texts[first:end] for first, end in pairwise(bounds)]
        if count == 1:
            return self._reports(texts, 0)
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(count) as executor:
            return np.concatenate(list(executor.map(self._reports, parts, bounds[:-1])))

    def report_values(self, values: ArrayLike) -> NDArray[np.uint64]:
        """The numbers of the reports of values by their numbers, uint64 (len(values),). Errors as in `report_many`."""
        import numpy as np

        numbers = np.asarray(values)
        if numbers.ndim != 1 or not np.issubdtype(numbers.dtype, np.integer):
            raise InvalidArgumentError("values must be integers of shape (count,)")
        if numbers.size and not 0 <= numbers.min() <= numbers.max() < self._info.value_count:
            raise InvalidArgumentError(f"values must be 0 to {self._info.value_count - 1}")
        return _all_or_error(self._native.report_values(numbers.astype(np.uint32)), "value", 0)

    def _reports(self, texts: Sequence[str], first: int) -> NDArray[np.uint64]:
        return _all_or_error(self._native.report_batch(*joined(texts, first)), "text", first)

    def __repr__(self) -> str:
        info = self._info
        return (
            f"<hushbit.Reporter epsilon {info.effective_epsilon:.4g} per text, {info.value_count} values: {info.values}"
            f"{', memoized' if info.memoized else ''}>"
        )


def _lines(values: Sequence[str], what: str) -> bytes:
    return b"".join(encode(value, what) + b"\n" for value in values)


def _all_or_error(done: tuple[NDArray[np.uint64], Exception | None], what: str, first: int) -> NDArray[np.uint64]:
    reports, error = done
    if error is not None:
        error.add_note(f"in the {what} at index {first + len(reports)}")
        raise error
    return reports


def report_of(native: _core.Report) -> Report:
    """The public form of the result of one native call."""
    return Report(report=native.report, values=native.values.hex(), epsilon=native.epsilon)
