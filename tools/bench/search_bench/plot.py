"""Results as a plot: python -m search_bench.plot search.json search.png"""

import io
import json
import sys
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

_ENOUGH = 0.95
_COLORS = 128  # of the image, which then weighs a fifth


def draw(path: Path, document: dict[str, Any]) -> None:
    """Time against noise, for each vocabulary; hollow where an approximate search found too little."""
    tables = document["tables"]
    columns = min(2, len(tables))
    rows = -(-len(tables) // columns)
    figure = Figure(figsize=(6.5 * columns, 3.6 * rows + 1.2), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    for axis in axes.flat[len(tables) :]:
        axis.remove()
    names = list(dict.fromkeys(result["method"] for table in tables for result in table["results"]))
    colors = {name: f"C{number % 10}" for number, name in enumerate(names)}
    for axis, table in zip(axes.flat, tables, strict=False):
        _draw_table(axis, table, colors)
    handles = {
        line.get_label(): line for axis in figure.axes for line in axis.get_lines() if line.get_label() in colors
    }
    figure.legend([handles[name] for name in names], names, loc="outside lower center", ncols=4, fontsize="small")
    figure.suptitle(f"Nearest code, one thread, {document['machine']['processor']}. Hollow: recall below {_ENOUGH}")
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=80)
    Image.open(buffer).convert("RGB").quantize(_COLORS, Image.Quantize.MAXCOVERAGE).save(path, optimize=True)


def _draw_table(axis: Axes, table: dict[str, Any], colors: dict[str, str]) -> None:
    for name, color in colors.items():
        line = [result for result in table["results"] if result["method"] == name]
        if not line:
            continue
        style = "-" if name.startswith("hushbit") else ":"
        width = 2.5 if name == "hushbit plan" else 1.2
        noises, times = [result["noise"] for result in line], [result["one"] for result in line]
        axis.plot(noises, times, style, color=color, label=name, linewidth=width)
        for result in line:
            face = color if result["recall"] >= _ENOUGH else "white"
            axis.plot(result["noise"], result["one"], "o", color=color, markerfacecolor=face, markersize=4)
    title = f"{table['bits']} bits, {table['words']:,} words"
    axis.set(title=title, xlabel="flip probability p", ylabel="µs a query, one at a time", yscale="log")
    axis.grid(visible=True, alpha=0.3)


def main() -> int:
    """Reads and writes the files that the command line names; returns the exit code."""
    draw(Path(sys.argv[2]), json.loads(Path(sys.argv[1]).read_text()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
