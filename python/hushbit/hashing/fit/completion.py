"""A table with every hash: genuine rows as they are, synthetic ones everywhere else."""

from __future__ import annotations

import numpy as np

from hushbit._plumbing.progress import Progress, no_progress
from hushbit.errors import InvalidArgumentError
from hushbit.hashing.fit.rows import FittedRows, SyntheticRows
from hushbit.hashing.table.model import HashedModel, Rows

_BLOCK_ROWS = 1 << 14


def check_fillable(model: HashedModel) -> None:
    """Raises InvalidArgumentError if a table has no row, or no hash without one."""
    if model.rows == 0:
        raise InvalidArgumentError("the table is empty: there are no weights to fit a distribution to")
    if model.missing == 0:
        raise InvalidArgumentError(f"the table is full: each of its {model.range} hashes has a row, nothing is missing")


def complete_rows(
    model: HashedModel,
    fitted: FittedRows,
    progress: Progress = no_progress,
    *,
    generator_for_tests: np.random.Generator | None = None,
) -> Rows:
    """Rows 0 to R - 1 in blocks of at most 16,384, with synthetic ones drawn from `fitted`. Nobody attacks them.

    All synthetic rows are drawn before the first block comes: if randomness fails, nothing is released. Raises
    InvalidArgumentError for an empty and for a full table.
    """
    check_fillable(model)
    return fill_rows(model, fitted.draw(model.missing, generator_for_tests=generator_for_tests), progress)


def fill_rows(model: HashedModel, synthetic: SyntheticRows, progress: Progress = no_progress) -> Rows:
    """Rows 0 to R - 1 in blocks of at most 16,384, missing ones from `synthetic`. Genuine weights keep every bit."""
    genuine = 0
    for first in range(0, model.range, _BLOCK_ROWS):
        last = min(first + _BLOCK_ROWS, model.range)
        end = int(np.searchsorted(model.hashes, last))
        is_genuine = np.zeros(last - first, dtype=np.bool_)
        is_genuine[model.hashes[genuine:end] - first] = True
        rows = np.empty((last - first, model.dimensions), dtype=model.weights.dtype)
        rows[is_genuine] = model.weights[genuine:end]
        rows[~is_genuine] = synthetic[first - genuine : last - end]
        yield rows
        genuine = end
        progress(last, model.range, "writing")
