"""Draws what was measured: points with error bars, joined only where there are enough, and no legend over them."""

import math
from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes

from hushbit.study.privacy.figures import Mean

JOINED = 3
"""The least number of points that a thin line joins; a line through two would look as if it was measured between them.
"""


def exactly(value: float) -> Mean:
    """A number without an interval."""
    return Mean(value, value, value)


def points(
    axes: Axes,
    x: Sequence[Mean],
    y: Sequence[Mean],
    *,
    color: str,
    marker: str,
    label: str | None = None,
    hollow: bool = False,
) -> None:
    """Points with error bars either way; those without an interval have none. `x` and `y` are of one length."""
    style: dict[str, Any] = {"markerfacecolor": "white"} if hollow else {}
    middle_x, middle_y = [each.mean for each in x], [each.mean for each in y]
    axes.errorbar(
        middle_x, middle_y, xerr=_bars(x), yerr=_bars(y), fmt=marker, ms=4, color=color,
        elinewidth=0.8, capsize=2, capthick=0.8, label=label, **style,
    )  # fmt: skip
    joined(axes, middle_x, middle_y, color=color, ls="--" if hollow else "-")


def joined(axes: Axes, x: Sequence[float], y: Sequence[float], *, color: str, ls: str = "-") -> None:
    """A thin line from point to point, if there are enough of them."""
    if len(x) >= JOINED:
        axes.plot(x, y, ls, color=color, lw=0.8, alpha=0.6)


def legend_below(axes: Axes, columns: int = 3) -> None:
    """Puts the legend outside of the axes, where no point can be. The figure must have a constrained layout."""
    figure = axes.get_figure(root=True)
    assert figure is not None  # noqa: S101 - axes are always drawn in one
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        figure.legend(handles, labels, loc="outside lower center", ncols=columns, fontsize=7)


def _bars(values: Sequence[Mean]) -> list[list[float]]:
    """Lower and upper lengths; 0 for an infinite interval, which says that there is none."""
    sides = [(each.mean - each.low, each.high - each.mean) for each in values]
    return [[max(0.0, side) if math.isfinite(side) else 0.0 for side in kind] for kind in zip(*sides, strict=True)]
