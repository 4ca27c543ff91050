"""Term-level privacy for feature-hashed models: a trained table is filled in, so that it names no term.

    from hushbit import hashing

    file = hashing.open_model("model.skops")
    trial, _ = hashing.choose_fit(file.model)
    if not trial.attack.succeeded:
        file.write("private.skops", hashing.fill_rows(file.model, trial.synthetic))
    print(hashing.cost(file.model, removed=10, delta=1e-5))

What is promised, and what is not, is in docs/feature-hashing.md. Reading needs numpy alone; other packages are
imported where they are used, and the extra `hashing` brings them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hushbit.hashing.attacks.attack import Attack, attack
    from hushbit.hashing.costs.cost import DirectionCost, ModelCost, cost, cost_curve
    from hushbit.hashing.fit import AUTO_FIT_KINDS, FIT_KINDS
    from hushbit.hashing.fit.completion import complete_rows, fill_rows
    from hushbit.hashing.fit.rows import FittedRows, fit_rows
    from hushbit.hashing.formats.opening import open_model
    from hushbit.hashing.table.model import HashedModel, ModelFile
    from hushbit.hashing.table.murmur import hash_features
    from hushbit.hashing.trials import Trial, choose_fit

__all__ = [
    "AUTO_FIT_KINDS",
    "FIT_KINDS",
    "Attack",
    "DirectionCost",
    "FittedRows",
    "HashedModel",
    "ModelCost",
    "ModelFile",
    "Trial",
    "attack",
    "choose_fit",
    "complete_rows",
    "cost",
    "cost_curve",
    "fill_rows",
    "fit_rows",
    "hash_features",
    "open_model",
]

_HOMES = {
    "AUTO_FIT_KINDS": "fit",
    "FIT_KINDS": "fit",
    "Attack": "attacks.attack",
    "ModelCost": "costs.cost",
    "DirectionCost": "costs.cost",
    "FittedRows": "fit.rows",
    "HashedModel": "table.model",
    "ModelFile": "table.model",
    "Trial": "trials",
    "attack": "attacks.attack",
    "choose_fit": "trials",
    "complete_rows": "fit.completion",
    "cost": "costs.cost",
    "cost_curve": "costs.cost",
    "fill_rows": "fit.completion",
    "fit_rows": "fit.rows",
    "hash_features": "table.murmur",
    "open_model": "formats.opening",
}


def __getattr__(name: str) -> Any:
    """Imports what needs numpy on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"hushbit.hashing.{_HOMES[name]}"), name)
