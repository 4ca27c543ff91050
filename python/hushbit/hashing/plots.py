"""Pictures for people. Each is written to a file whose suffix says the format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.extras import extra, require
from hushbit.errors import InvalidArgumentError
from hushbit.hashing.costs.cost import ModelCost

_KINDS = {"": "png", ".png": "png", ".svg": "svg", ".pdf": "pdf"}
_MAX_PANELS, _PANELS_A_ROW = 24, 4
_BINS = 120
_BEYOND = 0.005  # the share of weights left out at either end, which would squeeze the rest


def check_plot(path: Path) -> None:
    """Says early what the functions below would fail on.

    Raises InvalidArgumentError, MissingPackageError and WriteFailedError.
    """
    from hushbit._plumbing.atomic import check_writable

    require("hashing", "matplotlib")
    check_writable(path)
    if path.suffix not in _KINDS:
        raise InvalidArgumentError(f"{path}: plots are written as {', '.join(filter(None, _KINDS))}")


def plot_fit(path: Path, genuine: NDArray[Any], synthetic: NDArray[Any], labels: tuple[str, ...]) -> None:
    """Histograms of genuine and synthetic weights, a panel each for the first labels, with a logarithmic height."""
    shown = labels[:_MAX_PANELS]
    figure, axes = _figure(min(len(shown), _PANELS_A_ROW), -(-len(shown) // _PANELS_A_ROW))
    for axis in axes[len(shown) :]:
        axis.remove()
    for i, (label, axis) in enumerate(zip(shown, axes, strict=False)):
        low, high = np.quantile(genuine[:, i], [_BEYOND, 1 - _BEYOND])
        bins = np.linspace(low, high, _BINS) if high > low else 3
        for name, rows, filled in (("genuine", genuine, True), ("synthetic", synthetic, False)):
            kind = "stepfilled" if filled else "step"
            axis.hist(rows[:, i], bins=bins, density=True, histtype=kind, alpha=0.5 if filled else 1, label=name)
        axis.set_title(f"label {label}", parse_math=False)
        axis.set(xlabel="weight", ylabel="density", yscale="log")
    axes[0].legend()
    _save(figure, path)


def plot_costs(path: Path, per_draw: list[ModelCost], composed: list[ModelCost]) -> None:
    """Epsilon against the features of a term, both axes logarithmic, after Figure 2 of the paper.

    Infinite costs are left out.
    """
    figure, axes = _figure(2, 1)
    titles = (f"all {composed[0].draws:,} rows (composed)", "per draw (as published)")
    for axis, costs, title in zip(axes, (composed, per_draw), titles, strict=True):
        removed = [cost.removed for cost in costs]
        for label, epsilons in (
            ("table to neighbor", [cost.from_table.epsilon for cost in costs]),
            ("neighbor to table", [cost.from_neighbor.epsilon for cost in costs]),
        ):
            axis.plot(removed, np.where(np.isinf(epsilons), np.nan, epsilons), marker=".", label=label)
        if all(np.isinf(cost.epsilon) for cost in costs):
            axis.set(xlim=(1, max(removed[-1], 10)), ylim=(1, 10))  # logarithmic axes need ranges
            axis.text(0.5, 0.5, "infinite", transform=axis.transAxes, horizontalalignment="center")
        axis.set(title=title, xlabel="features of the term, K", ylabel=f"epsilon at delta {costs[0].delta:g}")
        axis.set(xscale="log", yscale="log")
        axis.grid(alpha=0.3, which="both")
        axis.legend()
    _save(figure, path)


def _figure(columns: int, rows: int) -> tuple[Any, Any]:
    with extra("hashing"):
        from matplotlib.figure import Figure

    figure = Figure(figsize=(max(4.5 * columns, 6), 4 * rows), layout="constrained")
    return figure, np.atleast_1d(figure.subplots(rows, columns)).ravel()


def _save(figure: Any, path: Path) -> None:
    import io

    from hushbit._plumbing.atomic import write_atomically

    data = io.BytesIO()
    figure.savefig(data, format=_KINDS[path.suffix], dpi=120)
    write_atomically(path, data.getvalue())
