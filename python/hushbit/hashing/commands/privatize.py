"""`hushbit hashing privatize`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hushbit._plumbing.extras import require
from hushbit.cli._shared import streams
from hushbit.cli._shared.failure import EXIT_OK, CommandError
from hushbit.cli._shared.progress import ProgressBar
from hushbit.hashing.commands.dictionary import attack_dictionary, words_document, words_text
from hushbit.hashing.commands.text import CAVEAT, attack_document, attack_text, cost_document, number, printable
from hushbit.hashing.fit import AUTO_FIT, AUTO_FIT_KINDS

if TYPE_CHECKING:
    from hushbit.hashing import Attack, FittedRows, HashedModel, Trial
    from hushbit.hashing.fit.rows import SyntheticRows

_SAMPLE_ROWS = 20_000  # synthetic rows that are compared with the genuine ones

_REGARDLESS = "--even-if-told-apart writes it regardless"


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    from hushbit._plumbing.atomic import check_writable
    from hushbit.hashing.fit.completion import check_fillable, fill_rows
    from hushbit.hashing.fit.quality import quality
    from hushbit.hashing.formats.opening import open_model
    from hushbit.hashing.plots import check_plot, plot_fit

    require("hashing", "sklearn", "threadpoolctl")  # the attack, which comes late, needs them
    check_writable(arguments.output)
    if arguments.plot is not None:
        check_plot(arguments.plot)
    file = open_model(arguments.model, format=arguments.format, size=arguments.range)
    model = file.model
    check_fillable(model)
    _check_features(model, arguments)
    with ProgressBar() as progress:
        fitted, synthetic, attacks = _draw(model, arguments, progress)
        words = words_document(attack_dictionary(model, file.format, synthetic.__getitem__, progress))
    if words is not None and words["told_apart"] and not arguments.even_if_told_apart:
        raise CommandError(
            f"{arguments.model}: nothing was written, because the result would not be private: {words_text(words)}. "
            f"Train on words alone. {_REGARDLESS}"
        )
    sample = synthetic[:_SAMPLE_ROWS]
    document: dict[str, Any] = {
        "model": str(arguments.model),
        "private": str(arguments.output),
        "format": file.format,
        "range": model.range,
        "dimensions": model.dimensions,
        "genuine_rows": model.rows,
        "synthetic_rows": model.missing,
        "repeated": fitted.repeated,
        "fit": fitted.kind,
        "fitted_rows": fitted.describe(),
        "quality": [vars(item) for item in quality(model.weights, sample, model.labels)],
        "attack": attack_document(attacks[fitted.kind]) if attacks else None,
        "attack_on_words": words,
        "attacks_on_fits": {kind: found.auc for kind, found in attacks.items()},
        **cost_document(model, [1], arguments.delta),
    }
    if arguments.plot is not None:
        plot_fit(arguments.plot, model.weights, sample, model.labels)
    with ProgressBar() as progress:
        file.write(arguments.output, fill_rows(model, synthetic, progress))
    streams.write_result(document, _human(document), as_json=arguments.json)
    return EXIT_OK


def _check_features(model: HashedModel, arguments: argparse.Namespace) -> None:
    """Raises CommandError for a model of n-grams, unless it is wanted."""
    from hushbit.hashing.attacks.relatives import has_relatives

    if has_relatives(model.settings) and not arguments.even_if_told_apart:
        raise CommandError(
            f"{arguments.model}: nothing was written: its features are n-grams, and a word that was trained on shares "
            "weights with the n-grams that contain it, which synthetic rows do not. So who hashes the words of a "
            f"dictionary learns which were typed. Train on words alone (ngram_range=(1, 1)). {_REGARDLESS}"
        )


def _draw(
    model: HashedModel, arguments: argparse.Namespace, progress: ProgressBar
) -> tuple[FittedRows, SyntheticRows, dict[str, Attack]]:
    """The fit and the rows to release, and attacks on what was tried, none if rows are too few for that.

    Raises CommandError if it is not known that the rows cannot be told apart, unless that is wanted.
    """
    from hushbit.hashing.attacks.attack import TooFewRowsError
    from hushbit.hashing.fit.rows import fit_rows
    from hushbit.hashing.trials import choose_fit

    kinds = AUTO_FIT_KINDS if arguments.fit == AUTO_FIT else (arguments.fit,)
    try:
        trial, attacks = choose_fit(model, kinds, progress)
    except TooFewRowsError as error:
        if not arguments.even_if_told_apart:
            raise CommandError(f"{arguments.model}: nothing was written: {error}. {_REGARDLESS}") from None
        fitted = fit_rows(model.weights, kinds[0])
        return fitted, fitted.draw(model.missing), {}
    if trial.attack.succeeded and not arguments.even_if_told_apart:
        others = tuple(kind for kind in AUTO_FIT_KINDS if kind not in attacks)
        better, more = choose_fit(model, others, progress) if others else (trial, {})
        raise CommandError(_refusal(arguments, trial, better, attacks | more))
    return trial.fitted, trial.synthetic, attacks


def _refusal(arguments: argparse.Namespace, trial: Trial, better: Trial, attacks: dict[str, Attack]) -> str:
    advice = "no fit that was tried is safe"
    if better.attack.auc < trial.attack.auc:
        hides = "is told apart less, but is not safe" if better.attack.succeeded else "is not told apart: take it"
        advice = f"--fit {better.fitted.kind} {hides}"
    tried = ", ".join(f"{kind} {found.auc:.3f}" for kind, found in attacks.items())
    return (
        f"{arguments.model}: nothing was written, because the result would not be private: synthetic rows of the fit "
        f"{trial.fitted.kind} can be told apart: {attack_text(attack_document(trial.attack))}; up to "
        f"{trial.attack.limit:.3f} is allowed. Areas by fit: {tried}; {advice}. {_REGARDLESS}"
    )


def _verdict(attack: dict[str, Any] | None, words: dict[str, Any] | None) -> str:
    if words is not None and words["told_apart"]:
        return "NOT PRIVATE: trained words can be told by the n-grams that contain them"
    if attack is None:
        return "NOT KNOWN TO BE PRIVATE: nobody tried to tell rows apart"
    if attack["told_apart"]:
        return "NOT PRIVATE: synthetic rows can be told apart, so the file tells which hashes are genuine"
    if attack["limit"] > attack["bar"]:
        return (
            f"no attacker told rows apart, but of so few rows (half of {attack['rows']:,} genuine) chance alone may "
            f"reach {attack['limit']:.3f}: less than that goes unseen"
        )
    return f"no attacker told rows apart: none is above {attack['limit']:.3f}"


def _human(document: dict[str, Any]) -> list[str]:
    fits = ", ".join(f"{count:,} by {kind}" for kind, count in document["fitted_rows"].items())
    cost, attack = document["costs"][0], document["attack"]
    rows = [
        ("private", f"{document['private']}, every one of {document['range']:,} hashes has a row"),
        ("rows", f"{document['genuine_rows']:,} genuine as they were, {document['synthetic_rows']:,} synthetic"),
        ("repeats", f"{document['repeated']:.1%} of the genuine rows equal another, but for the sign; so do synthetic"),
        ("fit", f"distinct rows: {fits}"),
        ("attack", attack_text(attack) if attack else "too few rows for one"),
        ("", _verdict(attack, document["attack_on_words"])),
        ("words", words_text(document["attack_on_words"])),
        ("terms of one", f"feature: epsilon {number(cost['composed']['epsilon'])} at delta {document['delta']:g}, "
                         f"all rows (composed); {number(cost['per_draw']['epsilon'])} per draw (as published)"),
        ("", CAVEAT),
    ]  # fmt: skip
    lines = [f"{name:<13}{value}" for name, value in rows]
    lines += ["", f"{'label':<16}{'KS distance':>12}{'1 % level':>11}{'kurtosis':>12}{'synthetic':>12}"]
    for item in document["quality"]:
        lines.append(
            f"{printable(item['label'])[:15]:<16}{item['distance']:>12.4f}{item['threshold']:>11.4f}"
            f"{item['kurtosis']:>12.4g}{item['synthetic_kurtosis']:>12.4g}"
        )
    return lines
