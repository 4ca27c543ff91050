"""`hushbit hashing evaluate`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from hushbit._plumbing.extras import require
from hushbit.cli._shared import streams
from hushbit.cli._shared.failure import EXIT_OK, CommandError
from hushbit.hashing.commands.text import printable

if TYPE_CHECKING:
    from hushbit.hashing.attacks.scoring import Quality, QueryAttack, Scorer


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    import numpy as np

    from hushbit._plumbing.documents import read_documents
    from hushbit.hashing.attacks.scoring import Scorer, query_attack
    from hushbit.hashing.formats.opening import open_model

    require("hashing", "sklearn", "scipy")
    model = open_model(arguments.model, format=arguments.format, size=arguments.range).model
    private = open_model(arguments.private, format=arguments.format, size=model.range).model
    if private.missing:
        raise CommandError(f"{arguments.private}: is not complete; {private.missing} hashes have no row")
    if not np.array_equal(private.weights[model.hashes], model.weights):
        raise CommandError(f"{arguments.private}: was not made from {arguments.model}; its genuine rows differ")
    documents = read_documents(arguments.texts, arguments.column, arguments.label_column)
    truth = [documents.classes[label] for label in documents.labels.tolist()]
    scorers = {"before": Scorer(model), "after": Scorer(private)}
    qualities = {when: _quality(scorer, documents.texts, truth, documents.classes) for when, scorer in scorers.items()}
    genuine = np.zeros(model.range, dtype=np.bool_)
    genuine[model.hashes] = True
    attacks = {when: query_attack(scorer, genuine) for when, scorer in scorers.items()}
    document = {
        "texts": len(truth),
        "quality": {when: asdict(found) for when, found in qualities.items()},
        "attack_by_queries": {when: asdict(found) for when, found in attacks.items()},
    }
    streams.write_result(document, _lines(qualities, attacks, len(truth)), as_json=arguments.json)
    return EXIT_OK


def _quality(scorer: Scorer, texts: list[str], truth: list[str], classes: list[str]) -> Quality:
    from hushbit.hashing.attacks.scoring import quality

    return quality(truth, scorer.classify(texts, classes))


def _lines(qualities: dict[str, Quality], attacks: dict[str, QueryAttack], texts: int) -> list[str]:
    lines = [f"{'':<22}{'before':>26}{'after':>26}"]
    lines.append(f"{'accuracy':<22}" + "".join(f"{found.accuracy:>26.3f}" for found in qualities.values()))
    lines.append(f"{'class':<22}" + f"{'precision, recall, F1':>26}" * 2)
    by_label = [{found.label: found for found in each.classes} for each in qualities.values()]
    for label in sorted(set().union(*by_label)):
        cells = [
            f"{found.precision:.3f}, {found.recall:.3f}, {found.f1:.3f}" if (found := each.get(label)) else ""
            for each in by_label
        ]
        lines.append(f"{printable(label):<22}" + "".join(f"{cell:>26}" for cell in cells))
    areas = [f"{found.auc:.3f} ({found.low:.3f} to {found.high:.3f})" for found in attacks.values()]
    lines.append(f"{'attack by queries':<22}" + "".join(f"{area:>26}" for area in areas))
    words = next(iter(attacks.values())).words
    lines.append(
        f"{texts:,} texts. Attack by queries: the area under the ROC (chance: 0.5) of who sees the scores of {words:,} "
        "made-up words and tells which fall into genuine rows. `hushbit hashing attack` reads the weights."
    )
    return lines
