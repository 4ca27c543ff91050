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

from hushbit._choices import AUTO_FIT_KINDS, FIT_KINDS
from hushbit.hashing.attack import Attack, attack
from hushbit.hashing.completion import complete_rows, fill_rows
from hushbit.hashing.cost import Cost, DirectionCost, cost, cost_curve
from hushbit.hashing.fit import FittedRows, fit_rows
from hushbit.hashing.formats import open_model
from hushbit.hashing.model import HashedModel, ModelFile
from hushbit.hashing.murmur import hash_features
from hushbit.hashing.trials import Trial, choose_fit

__all__ = [
    "AUTO_FIT_KINDS",
    "FIT_KINDS",
    "Attack",
    "Cost",
    "DirectionCost",
    "FittedRows",
    "HashedModel",
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
