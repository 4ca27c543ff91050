"""`hushbit hashing attack`."""

from __future__ import annotations

import argparse

from hushbit.cli._shared import streams
from hushbit.cli._shared.failure import EXIT_OK, CommandError


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    import numpy as np

    from hushbit.hashing.attack import attack
    from hushbit.hashing.formats import open_model

    model = open_model(arguments.model, format=arguments.format, size=arguments.range).model
    private = open_model(arguments.private, format=arguments.format, size=model.range).model
    if private.missing:
        raise CommandError(f"{arguments.private}: is not complete; {private.missing} hashes have no row")
    genuine = np.zeros(model.range, dtype=np.bool_)
    genuine[model.hashes] = True
    if not np.array_equal(private.weights[genuine], model.weights):
        raise CommandError(f"{arguments.private}: was not made from {arguments.model}; its genuine rows differ")
    found = attack(private.weights, genuine)
    document = {"accuracy": found.accuracy, "auc": found.auc, "rows": found.rows}
    line = (
        f"accuracy {found.accuracy:.3f} (chance: 0.5), area under the ROC {found.auc:.3f}, on {found.rows:,} rows "
        "of which half were genuine"
    )
    streams.write_result(document, [line], as_json=arguments.json)
    return EXIT_OK
