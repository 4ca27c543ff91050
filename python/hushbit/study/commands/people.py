"""What `hushbit privacy --people` and `--days` show: releases of many people, mixed, and those of one, added up."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hushbit.cli._shared.arguments import positive
from hushbit.cli._shared.failure import EXIT_USAGE, CommandError

if TYPE_CHECKING:
    from hushbit import Bundle
    from hushbit.study.privacy.shuffling import Release

RELEASES = ("word", "embedding", "report")
_EPSILONS = {"word": (4.0, 6.0), "embedding": (1.0, 2.0, 4.0), "report": (1.0, 2.0, 4.0)}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument(
        "--people",
        type=positive,
        metavar="N",
        help="show instead what shuffling the releases of N people adds; with --days, the total behind a shuffler",
    )
    parser.add_argument(
        "--days", type=positive, metavar="N", help="show instead what one person's releases of N days add up to"
    )
    parser.add_argument(
        "--per-day", type=positive, metavar="N", help="number of releases of a day, for --days (default: 1)"
    )
    parser.add_argument(
        "--release",
        choices=RELEASES,
        action="append",
        help="what is released, for --people or --days; may be repeated (default: all that the bundle has)",
    )


_ELSEWHERE = ("mechanism", "embeddings", "extend", "word_list", "frequencies", "per_word", "html")
"""Options of the other report."""


def is_asked(arguments: argparse.Namespace) -> bool:
    """Whether people or days were given. Raises CommandError for an option that would have no effect."""
    if arguments.per_day is not None and arguments.days is None:
        raise CommandError("--per-day goes with --days", EXIT_USAGE)
    if arguments.people is None and arguments.days is None:
        if arguments.release:
            raise CommandError("--release goes with --people or --days", EXIT_USAGE)
        return False
    given = next((name for name in _ELSEWHERE if getattr(arguments, name) is not None), None)
    if given is not None:
        raise CommandError(f"--{given.replace('_', '-')} goes without --people and --days", EXIT_USAGE)
    return True


def figures(arguments: argparse.Namespace, bundle: Bundle) -> list[dict[str, Any]]:
    """A dictionary for each kind of release and each ε."""
    return [
        _figures(arguments, kind, of)
        for kind in RELEASES
        if kind in (arguments.release or RELEASES)
        for of in _releases(arguments, bundle, kind)
    ]


def _figures(arguments: argparse.Namespace, kind: str, of: Release) -> dict[str, Any]:
    from hushbit.study.privacy.accounting import pure_text_epsilon
    from hushbit.study.privacy.shuffling import shuffled, shuffled_total

    found: dict[str, Any] = {"release": kind, "epsilon": of.epsilon, "variation": of.variation}
    people, delta = arguments.people, arguments.delta
    if people is not None:
        central = shuffled(of, people, delta)
        found |= {"clones": central.clones, "variation_ratio": central.variation, "central": central.epsilon}
    if arguments.days is not None:
        count = arguments.days * (arguments.per_day or 1)
        found |= {"releases": count, "sum": count * of.epsilon, "tight": pure_text_epsilon(of.epsilon, count, delta)}
        if people is not None:
            found["central_total"] = shuffled_total(of, people, delta, count)
    return found


def _releases(arguments: argparse.Namespace, bundle: Bundle, kind: str) -> list[Release]:
    from hushbit.errors import InvalidArgumentError
    from hushbit.study.privacy.shuffling import Release

    releases = []
    for epsilon in sorted(set(arguments.epsilon or _EPSILONS[kind])):
        if kind == "report":
            report = bundle.reporter(values="words", epsilon=epsilon).info
            # Any two values have it: a report is of the common part of their sets with the same chance under both.
            common = (report.set_size - 1) // report.prime if report.dimension > 2 else 0
            variation = report.probability * (1 - common / report.set_size)
            releases.append(Release(report.effective_epsilon, variation, constant=True))
            continue
        try:
            if kind == "word":
                words = bundle.privatizer("crowd", epsilon, crowd_size=arguments.crowd_size, allow_unchanged=True).info
                releases.append(Release(words.effective_epsilon, words.crowd_probability))
            else:
                embedding = bundle.embedder(epsilon=epsilon).info
                releases.append(Release(embedding.effective_epsilon, embedding.crowd_probability))
        except InvalidArgumentError:
            if arguments.release:
                raise
    return releases


CONDITIONS = {
    "people": "central: of whoever sees the releases of so many people only shuffled, for each person, at δ. clones "
    "needs ε alone, variation-ratio also by how much the releases of two texts differ at most.",
    "days": "sum: the ε of all releases together. tight: the same at δ.",
    "both": "central total: of all releases at δ, each in a batch of so many people.",
}


def lines(rows: list[dict[str, Any]], arguments: argparse.Namespace) -> list[str]:
    """The figures as a table, for people."""
    from hushbit.cli._shared.tables import render_rows
    from hushbit.study.privacy.shuffling import CONDITIONS as SHUFFLING

    named = {"epsilon": "local ε", "variation": "total variation", "variation_ratio": "variation-ratio"}
    cells = [[value if isinstance(value, str) else _rounded_up(value) for value in row.values()] for row in rows]
    columns = [named.get(name, name.replace("_", " ")) for name in rows[0]]
    notes = [f"δ is {arguments.delta:g}."]
    notes += [CONDITIONS["people"], SHUFFLING] if arguments.people is not None else []
    notes += [CONDITIONS["days"]] if arguments.days is not None else []
    notes += [CONDITIONS["both"]] if arguments.people is not None and arguments.days is not None else []
    return render_rows(columns, cells, " ".join(notes))


def _rounded_up(value: float) -> str:
    """Three digits, never less than the value."""
    import math

    if value == 0 or isinstance(value, int):
        return f"{value:,}"
    unit = 10.0 ** (math.floor(math.log10(value)) - 2)
    return f"{math.ceil(value / unit - 1e-9) * unit:.4g}"
