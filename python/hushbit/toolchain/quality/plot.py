"""A plot of the quality of codes. `hushbit quality` imports this module only if a plot is asked for."""

import io
from typing import Any

from hushbit._plumbing.extras import extra


def plot_quality(document: dict[str, Any], title: str) -> bytes:
    """A PNG of what `measure_quality` returned. Raises MissingPackageError without matplotlib."""
    with extra("privacy"):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    sets = [row for row in document["similarity"] if row["codes"] is not None]
    panels = 3 if sets else 2
    figure = Figure(figsize=(4.3 * panels, 4), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(title)
    *similarity, noise, distances = figure.subplots(1, panels)
    if sets:
        _similarity(similarity[0], sets)
    _noise(noise, document)
    histogram = document["distances"]["histogram"]
    distances.bar(range(len(histogram)), [count / sum(histogram) for count in histogram], width=1.0)
    distances.set(title="distances of random pairs", xlabel="bits", ylabel="share")
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=120)
    return buffer.getvalue()


def _similarity(axes: Any, sets: list[dict[str, Any]]) -> None:
    for i, kind in enumerate(("codes", "raw", "preprocessed")):
        axes.bar([x + 0.27 * (i - 1) for x in range(len(sets))], [row[kind] for row in sets], width=0.25, label=kind)
    axes.set_xticks(range(len(sets)), [row["name"] for row in sets])
    axes.set(title="word similarity", ylabel="Spearman, %")
    axes.legend()


def _noise(axes: Any, document: dict[str, Any]) -> None:
    rows = [row for row in document["noise"] if row["changed_words"]]
    unchanged = [100 * row["unchanged"] for row in rows]
    for k in (10, 100):
        shown = [row["raw"].get(f"among_{k}") for row in rows]
        if None not in shown:
            axes.plot(unchanged, [100 * share for share in shown], "o-", label=f"among the {k} nearest, %")
    axes.plot(unchanged, [100 * row["raw"]["cosine"] for row in rows], "s--", label="mean cosine × 100")
    axes.set(title="nearness of changed words", xlabel="unchanged words, %", ylim=(0, None))
    axes.legend()
