"""Term-level privacy for feature-hashed models: a trained table is filled in, so that it names no term.

    from hushbit import hashing

    file = hashing.open_model("model.skops")
    fitted = hashing.fit_rows(file.model.weights)
    file.write("private.skops", hashing.complete_rows(file.model, fitted))
    print(hashing.cost(file.model, removed=10, delta=1e-5))

What is promised, and what is not, is in docs/feature-hashing.md. Reading and drawing need numpy alone; other packages
are imported where they are used, and `pip install 'hushbit[hashing]'` installs them.
"""

from hushbit._choices import FIT_KINDS
from hushbit.hashing.completion import complete_rows
from hushbit.hashing.cost import Cost, DirectionCost, cost, cost_curve
from hushbit.hashing.fit import FittedRows, fit_rows
from hushbit.hashing.formats import open_model
from hushbit.hashing.model import HashedModel, ModelFile
from hushbit.hashing.murmur import hash_features

__all__ = [
    "FIT_KINDS",
    "Cost",
    "DirectionCost",
    "FittedRows",
    "HashedModel",
    "ModelFile",
    "complete_rows",
    "cost",
    "cost_curve",
    "fit_rows",
    "hash_features",
    "open_model",
]
