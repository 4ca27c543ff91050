"""`hushbit hashing attack`."""

from __future__ import annotations

import argparse

from hushbit._plumbing.extras import require
from hushbit.cli._shared import streams
from hushbit.cli._shared.failure import EXIT_OK, CommandError
from hushbit.cli._shared.progress import ProgressBar
from hushbit.hashing.commands.dictionary import attack_dictionary, words_document, words_text
from hushbit.hashing.commands.text import attack_document, attack_text


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    import numpy as np

    from hushbit.hashing.attacks.attack import attack
    from hushbit.hashing.formats.opening import open_model

    require("hashing", "sklearn", "threadpoolctl")
    file = open_model(arguments.model, format=arguments.format, size=arguments.range)
    model = file.model
    private = open_model(arguments.private, format=arguments.format, size=model.range).model
    if private.missing:
        raise CommandError(f"{arguments.private}: is not complete; {private.missing} hashes have no row")
    genuine = np.zeros(model.range, dtype=np.bool_)
    genuine[model.hashes] = True
    if not np.array_equal(private.weights[genuine], model.weights):
        raise CommandError(f"{arguments.private}: was not made from {arguments.model}; its genuine rows differ")
    synthetic = private.weights[~genuine]
    with ProgressBar() as progress:
        found = attack(model.weights, synthetic, progress=progress)
        words = words_document(attack_dictionary(model, file.format, lambda numbers: synthetic[numbers], progress))
    document = {**attack_document(found), "attack_on_words": words}
    lines = [
        f"{attack_text(document)}, on {found.rows:,} distinct rows of which half were genuine",
        f"rows can be told apart: {'yes' if found.succeeded else 'no'} (yes above {found.limit:.3f})",
        "",
        *(f"{area:.3f}  {name}" for name, area in found.by_attacker.items()),
        "",
        words_text(words),
    ]
    streams.write_result(document, lines, as_json=arguments.json)
    return EXIT_OK
