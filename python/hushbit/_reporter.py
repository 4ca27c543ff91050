"""Reporters release one report about one value of a whole text."""

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
"""The version of what a report is (docs/counting.md)."""


@dataclass(frozen=True, slots=True)
class ReporterInfo(Record):
    """The promises of a reporter, computed from the integers with which it draws, and what counting needs.

    values: what reports are about: "words", "emoji", "list" or "new-words".
    value_count: N, the number of values, including "none". They are numbered from 0.
    has_none: whether value 0 is "none", the value of a text without anything to report.
    requested_epsilon: the requested epsilon. It determines the design.
    effective_epsilon: the local-DP epsilon of a whole text that actually holds, never above the requested one.
    reports: the number of different reports. They are numbered from 0.
    prime: q of the design (docs/counting.md), or N - 1 for randomized response.
    dimension: t of the design; 2 for randomized response.
    points: Z, the number of reports of one group. The number of a report is group * points + point.
    set_size: s, the number of reports of a group that belong to a value.
    groups: the number of groups: for new words one for each length of a beginning and each hash, otherwise 1.
    threshold: L, the threshold of the coin: if a uniform 64-bit integer is below it, a report of the value's set is
        released, otherwise any report.
    probability: threshold / 2**64.
    memoized: whether a device key was given, so that the same text has the same report within an epoch.
    hash: the SHA-256, in hex, that identifies the values.
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
    """A report, which is what may be released of a whole text.

    report: the number of the report.
    values: the first 16 hexadecimal digits of the hash of the values. Reports about different values cannot be counted
        together.
    epsilon: the requested epsilon of the text.
    version: the version of what a report is (default: 1).
    """

    report: int
    values: str
    epsilon: float
    version: int = REPORT_VERSION

    def to_json(self) -> str:
        """The report as one line of JSON, without a line break at its end."""
        return json.dumps(self.to_dict())


class Reporter(Described):
    """Values, an epsilon and policies. Created by `Bundle.reporter`, or without a bundle for emoji and lists.

    For any two texts, of any length and of any words, and any report: the probabilities that it is released differ by
    a factor of at most e**epsilon. So the length, the order and everything else about a text are hidden too.

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
        """The local-DP epsilon of a whole text that actually holds. It is the cost of each report."""
        return self._info.effective_epsilon

    @property
    def budget(self) -> Budget | None:
        """The budget from which every report is spent, if there is one."""
        return self._budget

    @cached_property
    def spellings(self) -> tuple[str, ...]:
        """The spelling of each value, in order. That of "none" is the empty string.

        Raises InvalidArgumentError for new words, whose values are buckets of a hash.
        """
        return tuple(decode(spelled) for spelled in self._native.spellings(0, self._info.value_count))

    def report(self, text: str) -> Report:
        """Reports one text, of any length: one of its words, emoji or unknown words, drawn uniformly.

        With a list, the whole text is one value. Raises TypeError if `text` is not a str, InvalidTextError for a lone
        surrogate, UnknownWordError for a text that is not in a list without "none", RandomnessFailedError, and
        CorruptBundleError if the bundle is damaged where it was read; with a budget also BudgetExhaustedError,
        CorruptBudgetError, UnsupportedBudgetError and StorageFailedError; with an audit log StorageFailedError. After
        an error nothing was released.
        """
        return report_of(self._native.report(encode(text)))

    def report_value(self, value: int) -> Report:
        """Reports a value by its number, 0 to the number of values - 1.

        Raises InvalidArgumentError if there is no such value, and what `report` raises.
        """
        if not 0 <= value < self._info.value_count:
            raise InvalidArgumentError(f"there is no such value: they are numbered 0 to {self._info.value_count - 1}")
        return report_of(self._native.report_value(value))

    def report_word(self, word: str) -> Report:
        """Reports one word of which the caller knows that it is new. If it is not 2 to 24 letters, "none" is reported.

        Raises InvalidArgumentError if reports are not about new words, and what `report` raises.
        """
        return report_of(self._native.report_word(encode(word, "word")))

    def report_many(self, texts: Sequence[str], *, threads: int | None = None) -> NDArray[np.uint64]:
        """Reports texts and returns the numbers of the reports, uint64 (len(texts),), all that must be kept or sent.

        threads: the number of threads, 1 or more (default: None, one for each CPU). With a budget it is always one.

        Raises what `report` raises, with a note that gives the index of the text. Then no report is returned, and with
        a budget what was spent stays spent.
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
        """Reports values by their numbers and returns the numbers of the reports, uint64 (len(values),).

        Errors are as in `report_many`.
        """
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
