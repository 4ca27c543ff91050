"""`hushbit hashing cost`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import numpy as np

from hushbit.cli._shared import streams
from hushbit.cli._shared.failure import EXIT_OK
from hushbit.hashing.commands.text import CAVEAT, cost_document, number, printable

if TYPE_CHECKING:
    from hushbit.hashing import HashedModel
    from hushbit.hashing.costs.terms import TermCounts

_CURVE_POINTS = 24
_FAR_FROM_GAUSSIAN = 1.0  # excess kurtosis


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    from hushbit.hashing.fit.completion import check_fillable
    from hushbit.hashing.formats.opening import open_model
    from hushbit.hashing.plots import check_plot

    if arguments.plot is not None:
        check_plot(arguments.plot)
    model = open_model(arguments.model, format=arguments.format, size=arguments.range).model
    check_fillable(model)
    counted = _count(model, arguments)
    removed = _removed(model, arguments, counted)
    document = cost_document(model, removed, arguments.delta)
    if counted is not None:
        document["terms"] = _terms(counted, document)
    if arguments.plot is not None:
        _plot(arguments, model, removed)
    streams.write_result(document, _human(document, model, arguments.top), as_json=arguments.json)
    return EXIT_OK


def _count(model: HashedModel, arguments: argparse.Namespace) -> TermCounts | None:
    from hushbit.hashing.costs.terms import count_terms, read_documents, read_term_features

    if arguments.corpus is not None:
        return count_terms(model, read_documents(arguments.corpus, arguments.column), arguments.ngrams)
    if arguments.term_features is not None:
        return read_term_features(model, arguments.term_features)
    return None


def _removed(model: HashedModel, arguments: argparse.Namespace, counted: TermCounts | None) -> list[int]:
    if arguments.features_of_term is not None:
        return [arguments.features_of_term]
    if counted is not None:
        # A term with all features of the table leaves nothing; one row less says the same, and is infinite.
        return sorted({min(int(count), model.rows - 1) for count in counted.counts})
    points = np.unique(np.geomspace(1, max(model.rows // 2, 1), _CURVE_POINTS).astype(int))
    return [int(point) for point in points]


def _terms(counted: TermCounts, document: dict[str, Any]) -> list[dict[str, Any]]:
    """Every term, the costliest first."""
    costs = {cost["features"]: cost for cost in document["costs"]}
    most = max(costs)
    order = np.lexsort((np.arange(len(counted.terms)), -counted.counts))
    result = []
    for i in order:
        cost = costs[min(int(counted.counts[i]), most)]
        result.append(
            {
                "term": counted.terms[i],
                "features": int(counted.counts[i]),
                "composed": cost["composed"]["epsilon"],
                "per_draw": cost["per_draw"]["epsilon"],
            }
        )
    return result


def _plot(arguments: argparse.Namespace, model: HashedModel, removed: list[int]) -> None:
    from hushbit.hashing.costs.cost import cost_curve
    from hushbit.hashing.plots import plot_costs

    points = removed if len(removed) > 1 else [k for k in _curve_to(removed[0]) if k < model.rows]
    points = [k for k in points if k > 0]
    per_draw = cost_curve(model, points, arguments.delta, draws=1)
    plot_costs(arguments.plot, per_draw, cost_curve(model, points, arguments.delta))


def _curve_to(last: int) -> list[int]:
    return [int(point) for point in np.unique(np.geomspace(1, max(last, 2), _CURVE_POINTS).astype(int))]


def _human(document: dict[str, Any], model: HashedModel, top: int) -> list[str]:
    kurtosis = [value for value in document["kurtosis"] if value is not None]
    lines = [
        f"epsilon at delta {document['delta']:g}; {model.rows:,} rows are genuine, {model.missing:,} are synthetic",
        CAVEAT,
    ]
    if kurtosis and max(kurtosis) > _FAR_FROM_GAUSSIAN:
        lines.append(
            f"excess kurtosis up to {max(kurtosis):.3g}: the weights are far from the Gaussians of these figures"
        )
    if "terms" in document:
        rows = [
            (term["features"], term["composed"], term["per_draw"], printable(term["term"]))
            for term in document["terms"][:top]
        ]
        lines += ["", f"{len(document['terms']):,} terms, the costliest:"]
    else:
        rows = [
            (cost["features"], cost["composed"]["epsilon"], cost["per_draw"]["epsilon"], _direction(cost))
            for cost in document["costs"]
        ]
    last = "term" if "terms" in document else "costlier direction (composed), its alpha"
    lines += ["", f"{'features':>9}{'all rows':>14}{'per draw':>14}  {last}"]
    lines += [f"{'K':>9}{'(composed)':>14}{'(published)':>14}"]
    lines += [f"{k:>9,}{_short(composed):>14}{_short(per_draw):>14}  {text}" for k, composed, per_draw, text in rows]
    if any(np.isinf(row[1]) for row in rows):
        lines.append(f"infinite: {number(float('inf'))}")
    return lines


def _short(epsilon: float) -> str:
    return "infinite" if np.isinf(epsilon) else f"{epsilon:.4g}"


def _direction(cost: dict[str, Any]) -> str:
    composed = cost["composed"]
    name = (
        "from_table" if composed["from_table"]["epsilon"] >= composed["from_neighbor"]["epsilon"] else "from_neighbor"
    )
    alpha = composed[name]["alpha"]
    words = {"from_table": "table to neighbor", "from_neighbor": "neighbor to table"}[name]
    return words if alpha is None else f"{words}, {alpha:.5g}"
