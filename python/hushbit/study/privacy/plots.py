"""Plots of the privacy report and the comparison, as SVG text. The same figures give the same text."""

import io
import re
from collections.abc import Callable, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from hushbit.study.names import LONG_TITLES, ON_CODES
from hushbit.study.privacy.crowd_figures import CrowdFigures
from hushbit.study.privacy.figures import NEAR, RELEASES, Figures
from hushbit.study.privacy.marks import JOINED, exactly, legend_below, points
from hushbit.study.privacy.report import Report

COLORS = ("#2b6cb0", "#c05621", "#2f855a", "#6b46c1", "#b83280", "#0f766e", "#718096", "#7dd3fc", "#fbbf24")
_BINS = 40
_SHOWN = 5  # ε of one histogram
_SHARES = (-0.02, 1.02)  # an axis that cuts no point at 0 or 1
STYLE: Any = {"svg.hashsalt": "hushbit", "svg.fonttype": "none", "font.size": 9, "axes.grid": True, "grid.alpha": 0.3}
"""Settings of matplotlib with which the same figures give the same bytes."""


def svg(draw: Callable[[Axes], None], width: float = 5.6, height: float = 4.2) -> str:
    """A figure of one plot."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        draw(figure.add_subplot())
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return compact(buffer.getvalue())


def compact(drawing: str) -> str:
    """The SVG element of a file, with each outline on one line, without spaces at line ends."""
    element = drawing[drawing.index("<svg") :]
    return re.sub(r"\s+$", "", re.sub(r' *\n(?=[A-Za-z"])', " ", element), flags=re.MULTILINE) + "\n"


def plots_of(report: Report) -> list[tuple[str, str]]:
    """Titles and SVGs, of mechanisms on distances and of crowds."""
    plots = []
    if report.crowds:
        plots.append(("Crowds by the ε of a word", svg(lambda axes: _crowds(axes, report))))
        plots += _histograms(f"Crowds, {report.crowds[0].crowd}", report.crowds)
    if not report.figures:
        return plots
    plots.append(("Unchanged words by cost", svg(lambda axes: _unchanged(axes, report))))
    plots.append(("What a word becomes, at the same share of unchanged words", svg(lambda axes: _near(axes, report))))
    for mechanism in report.on_distances:
        plots += _histograms(LONG_TITLES[mechanism], report.of(mechanism))
        title = f"{LONG_TITLES[mechanism]}: guessed from repeated releases"
        plots.append((title, svg(lambda axes, name=mechanism: _recovered(axes, report, name))))  # type: ignore[misc]
    return plots


def _histograms(title: str, figures: Sequence[Figures] | Sequence[CrowdFigures]) -> list[tuple[str, str]]:
    """Histograms of N_w and of S_w over the measured words, at some of the ε."""
    places = np.unique(np.linspace(0, len(figures) - 1, _SHOWN).round().astype(int))
    shown = [figures[place] for place in places]
    draws = shown[0].words.draws

    def of_unchanged(axes: Axes) -> None:
        _steps(axes, [(f.epsilon, f.words.unchanged) for f in shown], np.linspace(0, 1, _BINS + 1))
        axes.set(xlabel="N_w, the chance that a word stays itself", ylabel="words", xlim=(0, 1))

    def of_distinct(axes: Axes) -> None:
        most = max(max(f.words.distinct) for f in shown)
        _steps(axes, [(f.epsilon, f.words.distinct) for f in shown], np.linspace(0, max(2.0, most), _BINS + 1))
        axes.set(xlabel=f"S_w, distinct outputs of {draws} draws", ylabel="words", xlim=(0, None))

    return [(f"{title}: N_w over words", svg(of_unchanged)), (f"{title}: S_w over words", svg(of_distinct))]


def _steps(axes: Axes, values: Sequence[tuple[float, Sequence[float]]], edges: NDArray[np.float64]) -> None:
    for color, (epsilon, found) in zip(COLORS, values, strict=False):
        axes.stairs(np.histogram(found, edges)[0], edges, color=color, label=f"ε {epsilon:.4g}")
    legend_below(axes)


def _crowds(axes: Axes, report: Report) -> None:
    figures = report.crowds
    epsilons = [exactly(f.effective_epsilon) for f in figures]
    lines: list[tuple[str, list[float]]] = [("unchanged, as typed", [f.typed_unchanged for f in figures])]
    lines += [(f"among {k} nearest, as typed", [f.typed_near[k] for f in figures]) for k in figures[0].typed_near]
    lines.append(("guessed, all words", [f.guessed.everything for f in figures]))
    if figures[0].guessed.beyond is not None:
        label = f"guessed, beyond the {figures[0].guessed.frequent} most frequent"
        lines.append((label, [f.guessed.beyond or 0.0 for f in figures]))
    for color, (label, values) in zip(COLORS, lines, strict=False):
        points(axes, epsilons, [exactly(value) for value in values], color=color, marker="o", label=label)
    axes.set(xlabel="local-DP ε of a word", ylabel="share of words", ylim=_SHARES)
    legend_below(axes, 2)


def _unchanged(axes: Axes, report: Report) -> None:
    for color, mechanism in zip(COLORS, report.on_distances, strict=False):
        figures = report.of(mechanism)
        cost, title = [f.average for f in figures], LONG_TITLES[mechanism]
        unchanged = [f.unchanged for f in figures]
        points(axes, [exactly(value) for value in cost], unchanged, color=color, marker="o", label=title)
        if len(cost) >= JOINED:
            low, high = [f.p5 for f in unchanged], [f.p95 for f in unchanged]
            axes.fill_between(cost, low, high, color=color, alpha=0.15, lw=0)
    axes.set(xlabel="ε·P_avg", ylabel="unchanged: mean, 5 to 95 % of words", ylim=_SHARES)
    legend_below(axes)


def _near(axes: Axes, report: Report) -> None:
    for color, mechanism in zip(COLORS, report.on_distances, strict=False):
        figures = report.of(mechanism)
        share = [f.unchanged for f in figures]
        for k, hollow in zip(NEAR, (False, True), strict=True):
            label = f"{LONG_TITLES[mechanism]}, among {k}"
            near = [f.near[k] for f in figures]
            points(axes, share, near, color=color, marker="o", label=label, hollow=hollow)
    axes.plot([0, 1], [0, 1], ":", color="#555", label="control")  # except for a few words of a whole vocabulary
    axes.set(xlabel="share of unchanged words", ylabel="outputs among the nearest", xlim=_SHARES, ylim=_SHARES)
    legend_below(axes, 2)


def _recovered(axes: Axes, report: Report, mechanism: str) -> None:
    figures = report.of(mechanism)
    epsilons = [exactly(f.epsilon) for f in figures]
    for color, k in zip(COLORS, RELEASES, strict=False):
        if k in figures[0].recovered:
            found = [f.recovered[k] for f in figures]
            points(axes, epsilons, found, color=color, marker="o", label=f"{k} releases")
    once = [f.unchanged for f in figures]
    points(axes, epsilons, once, color="#555", marker="o", label="one release (N_w)", hollow=True)
    unit = "per differing bit" if mechanism in ON_CODES else "per unit of Euclidean distance"
    axes.set(xlabel=f"ε {unit}", ylabel="share of words guessed", ylim=_SHARES)
    legend_below(axes)
