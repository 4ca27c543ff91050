"""Budgets limit the total cost of all releases, with a ledger in a small file."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NoReturn

from hushbit import _core
from hushbit._plumbing.paths import path_bytes
from hushbit._plumbing.records import Record, public
from hushbit.errors import InvalidArgumentError

_NO_CAP = 2**64 - 1
_MOST_TEXTS = 2**32 - 1


@dataclass(frozen=True, slots=True)
class BudgetState(Record):
    """What was spent. Costs are counted in millionths, rounded up.

    day: the day (UTC) to which "today" refers. It never goes back, even if the clock is set back.
    worst_case_today, worst_case_lifetime: the sums of `Cost.worst_case`, on that day and in total.
    tokens_today, tokens_lifetime: the numbers of released tokens with a replacement, except public words; a release of
        a whole text counts as one.
    texts_today, texts_lifetime: the numbers of releases of whole texts (embeddings and reports), at most 2**32 - 1.
    """

    day: date
    worst_case_today: float
    worst_case_lifetime: float
    tokens_today: int
    tokens_lifetime: int
    texts_today: int
    texts_lifetime: int


class Budget:
    """A ledger in a file, with caps. A release that would exceed a cap is refused.

    Pass it to `Bundle.privatizer(budget=…)`. Then the cost of every release is spent before any noise is drawn, and if
    the budget refuses, nothing is released. Any number of threads and processes may spend from one ledger at once; each
    waits for its turn and for the disk. After a crash at any time, the ledger contains at least the cost of everything
    that was released.

    path: the path of the ledger, which is created if it does not exist. `PATH.lock` is created next to it. Always use
        the same path, on a local disk, and keep it out of backups: restoring an old ledger would undo what was spent.
    worst_case_per_day, worst_case_lifetime: the caps on sums of `Cost.worst_case`, 0 or more (default: infinity, no
        cap). An infinite cost (`verbatim-unsafe`) is allowed only if both are infinite.
    tokens_per_day, tokens_lifetime: the caps on tokens, 0 or more (default: None, no cap).

    Days are days in UTC. The caps belong to this object; the file contains only what was spent.

    Raises InvalidArgumentError, CorruptBudgetError if the file is damaged, UnsupportedBudgetError if it is of a newer
    version, StorageFailedError if it cannot be read, locked or written.
    """

    __slots__ = ("_limits", "_native", "_path")

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        worst_case_per_day: float = math.inf,
        worst_case_lifetime: float = math.inf,
        tokens_per_day: int | None = None,
        tokens_lifetime: int | None = None,
    ) -> None:
        self._path = os.fspath(path)
        self._limits = {
            "worst_case_per_day": _checked_cost(worst_case_per_day, "worst_case_per_day"),
            "worst_case_lifetime": _checked_cost(worst_case_lifetime, "worst_case_lifetime"),
            "tokens_per_day": tokens_per_day,
            "tokens_lifetime": tokens_lifetime,
        }
        self._native = _core.Budget(
            path_bytes(path),
            worst_case_per_day=worst_case_per_day,
            worst_case_lifetime=worst_case_lifetime,
            tokens_per_day=_checked_tokens(tokens_per_day, "tokens_per_day"),
            tokens_lifetime=_checked_tokens(tokens_lifetime, "tokens_lifetime"),
        )

    @property
    def path(self) -> str:
        """The path of the ledger."""
        return self._path

    @property
    def state(self) -> BudgetState:
        """What has been spent so far, read from the file. Raises what `spend` raises, except BudgetExhaustedError."""
        return _public_state(self._native.state())

    def spend(self, worst_case: float, tokens: int = 0) -> None:
        """Spends a cost, 0 or more, and returns when the ledger is on the disk.

        An app spends its own costs by this method. Privatizers, embedders and reporters spend theirs themselves.

        Raises BudgetExhaustedError if a cap does not allow it (nothing was spent), CorruptBudgetError (also if the file
        is missing), UnsupportedBudgetError, StorageFailedError, InvalidArgumentError. After an error, release nothing.
        """
        self._native.spend(_checked_cost(worst_case, "worst_case"), _checked_tokens(tokens, "tokens"))

    def spend_texts(self, worst_case: float, texts: int) -> None:
        """Spends the cost of `texts` releases of whole texts together, each of which counts as a token and as a text.

        It is meant for the app's own releases, as `spend` is. Raises what `spend` raises, and InvalidArgumentError
        unless `texts` is 0 to 2**32 - 1.
        """
        if not 0 <= texts <= _MOST_TEXTS:
            raise InvalidArgumentError(f"texts is {texts}; it must be 0 to {_MOST_TEXTS}")
        self._native.spend_texts(_checked_cost(worst_case, "worst_case"), texts)

    @staticmethod
    def read(path: str | os.PathLike[str]) -> BudgetState:
        """Reads the ledger at `path`, without changing it, and returns what has been spent so far.

        Raises NotFoundError (a FileNotFoundError) if it does not exist, and what `state` raises.
        """
        return _public_state(_core.Budget.read(path_bytes(path)))

    @staticmethod
    def reset(path: str | os.PathLike[str]) -> None:
        """Replaces the ledger at `path`, damaged or not, with an empty one.

        What was spent is forgotten, so the caps no longer bound what was released before. Raises InvalidArgumentError
        if the file is clearly not a ledger, StorageFailedError if it cannot be written.
        """
        _core.Budget.reset(path_bytes(path))

    def __repr__(self) -> str:
        caps = ", ".join(f"{name} {cap:g}" for name, cap in self._limits.items() if cap is not None and cap < math.inf)
        return f"<hushbit.Budget {self._path}, {caps or 'no caps'}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Budget cannot be copied or pickled: share it between threads, or open its path again")


def _checked_cost(value: float, name: str) -> float:
    value = float(value)
    if not value >= 0:
        raise InvalidArgumentError(f"{name} is {value}; it must be 0 or more")
    return value


def _checked_tokens(value: int | None, name: str) -> int:
    if value is None:
        return _NO_CAP
    if not 0 <= value < _NO_CAP:
        raise InvalidArgumentError(f"{name} is {value}; it must be 0 or more")
    return value


def _public_state(native: _core.BudgetState) -> BudgetState:
    first = date(1970, 1, 1)
    return public(BudgetState, native, day=first + timedelta(days=min(native.day, (date.max - first).days)))
