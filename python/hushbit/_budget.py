"""Budgets: what all releases may cost together, kept in a small file."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NoReturn

from hushbit import _core
from hushbit._paths import path_bytes
from hushbit._records import Record, public
from hushbit.errors import BudgetExhaustedError, InvalidArgumentError

_NO_CAP = 2**64 - 1


@dataclass(frozen=True, slots=True)
class BudgetState(Record):
    """What was spent. Costs are counted in millionths, rounded up.

    day: the day (UTC) that "today" means. It never falls, even if the clock is set back.
    worst_case_today, worst_case_lifetime: sums of `PrivacyCost.worst_case`, of that day and in all.
    tokens_today, tokens_lifetime: tokens with a replacement in what was released.
    """

    day: date
    worst_case_today: float
    worst_case_lifetime: float
    tokens_today: int
    tokens_lifetime: int


class Budget:
    """A ledger in a file, with caps: what would go beyond one of them is refused.

    Give it to `Bundle.privatizer(budget=…)`: then every release is spent before any noise is drawn, and what is refused
    is not released. Any number of threads and processes may spend from one ledger at once; each waits for its turn and
    for the disk. A crash at any instant leaves the ledger with at least what was released.

    path: the ledger; created if there is none. `PATH.lock` is created next to it. Use one path, on a local disk, and
        keep it out of backups: restoring an old one would give back what was spent.
    worst_case_per_day, worst_case_lifetime: caps on sums of `PrivacyCost.worst_case`, 0 or more; infinity is no cap. An
        infinite cost (`verbatim-unsafe`) needs both to be infinite.
    tokens_per_day, tokens_lifetime: caps on tokens, 0 or more; None is no cap.

    Days are days in UTC. The caps are this object's; the file holds what was spent.

    Raises InvalidArgumentError, CorruptBudgetError if the file is damaged, UnsupportedBudgetError if it is of a newer
    version, StorageError if it cannot be read, locked or written.
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
        """What is spent as of now, read from the file. Raises what `spend` raises, but BudgetExhaustedError."""
        return _public_state(self._native.state())

    def spend(self, worst_case: float, tokens: int = 0) -> None:
        """Spends, and returns once that is on the disk. For costs of the app's own; a privatizer spends by itself.

        Raises BudgetExhaustedError if a cap stands against it, and nothing was spent; CorruptBudgetError (also if the
        file is gone), UnsupportedBudgetError, StorageError, InvalidArgumentError. Then release nothing.
        """
        self._native.spend(_checked_cost(worst_case, "worst_case"), _checked_tokens(tokens, "tokens"))

    def try_spend(self, worst_case: float, tokens: int = 0) -> bool:
        """`spend`, but False if a cap stands against it. Other failures are raised."""
        try:
            self.spend(worst_case, tokens)
        except BudgetExhaustedError:
            return False
        return True

    @staticmethod
    def read(path: str | os.PathLike[str]) -> BudgetState:
        """What is spent as of now in the ledger at `path`, which is only read.

        BundleNotFoundError (a FileNotFoundError) if there is none; raises what `state` raises.
        """
        return _public_state(_core.Budget.read(path_bytes(path)))

    @staticmethod
    def reset(path: str | os.PathLike[str]) -> None:
        """Makes the ledger at `path` an empty one, damaged or not.

        What was spent is forgotten, and with it the promise of the caps. InvalidArgumentError if the file is clearly
        something else, StorageError if it cannot be written.
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
        raise InvalidArgumentError(f"{name} is {value}, must be 0 or more")
    return value


def _checked_tokens(value: int | None, name: str) -> int:
    if value is None:
        return _NO_CAP
    if not 0 <= value < _NO_CAP:
        raise InvalidArgumentError(f"{name} is {value}, must be 0 or more")
    return value


def _public_state(native: _core.BudgetState) -> BudgetState:
    first = date(1970, 1, 1)
    return public(BudgetState, native, day=first + timedelta(days=min(native.day, (date.max - first).days)))
