"""A chart of counts with their intervals. `hushbit count` imports this module only if a chart is asked for."""

from __future__ import annotations

import io
import warnings

from hushbit.analysis.counts.estimates import Estimates
from hushbit.analysis.counts.intervals import Floats

MOST = 30
"""Values in one chart."""


def chart(estimates: Estimates, form: str, most: int = MOST) -> bytes:
    """The most frequent values that are told (all, if none is), with their intervals, as a picture: "svg", "png",
    "pdf".
    """
    from matplotlib.figure import Figure

    places = [place for place in estimates.order() if estimates.told[place]][:most]
    if not places:
        places = list(estimates.order()[:most])
    shares, lows, highs = (100 * part[places] / estimates.reports for part in _parts(estimates))
    heights = range(len(places), 0, -1)
    figure = Figure(figsize=(7, 1 + 0.26 * len(places)), layout="constrained")
    axes = figure.subplots()
    axes.hlines(heights, lows, highs, color="#94a3b8", linewidth=3)
    axes.plot(shares, heights, "o", color="#1d4ed8", markersize=4)
    axes.set_yticks(heights, [_shown(estimates.names[place]) for place in places])
    axes.set_ylim(0.3, len(places) + 0.7)
    axes.set_xlim(left=0)
    axes.set_xlabel(f"percent of {estimates.reports:,} reports, with intervals that hold 95 in 100")
    axes.grid(axis="x", color="#e2e8f0")
    axes.spines[["top", "right", "left"]].set_visible(False)
    picture = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*[Gg]lyph.*")  # fonts without emoji warn
        figure.savefig(picture, format=form, dpi=150, metadata={"Date": None} if form == "svg" else None)
    return picture.getvalue()


def _parts(estimates: Estimates) -> tuple[Floats, Floats, Floats]:
    return estimates.counts, estimates.low, estimates.high


def _shown(name: str) -> str:
    """The name, without what a chart takes for a formula."""
    printable = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in name)
    return printable.replace("$", r"\$")
