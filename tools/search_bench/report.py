"""Results as a table on the terminal, as JSON, and as a plot."""

import json
import platform
from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from matplotlib.figure import Figure

from search_bench.data import SOURCE, Setup
from search_bench.measure import BATCH, Result

Table = tuple[Setup, dict[str, int], Sequence[Result]]
"""A vocabulary, the sizes of Hushbit's sections in bytes, and the results."""


def print_results(results: Sequence[Result]) -> None:
    """A row for each method at one noise level."""
    for result in results:
        setting = f" ({result.setting})" if result.setting else ""
        print(
            f"  p={result.noise:<5g} {result.method + setting:32} recall {result.recall:5.3f}"
            f"   one {result.one:9.1f} µs {result.ratio_one:7.2f} x"
            f"   batch {result.batch:9.1f} µs {result.ratio_batch:7.2f} x",
            flush=True,
        )


def write_json(path: Path, tables: Sequence[Table], command: str, simd: str) -> None:
    """Everything, with what it was measured on."""
    packages = ["faiss-cpu", "usearch", "annoy", "numpy"]
    document = {
        "command": command,
        "machine": {"processor": processor(), "system": platform.platform(), "simd": simd},
        "packages": {name: version(name) for name in packages},
        "source": SOURCE,
        "unit": "microseconds a query, median; one at a time by the wall, in batches in processor time",
        "batch": BATCH,
        "tables": [
            {
                "bits": setup.bits,
                "words": setup.words,
                "section_bytes": sizes,
                "results": [_rounded(asdict(result)) for result in results],
            }
            for setup, sizes, results in tables
        ],
    }
    path.write_text(json.dumps(document, indent=1) + "\n")


def processor() -> str:
    """The processor's name and how many this process sees."""
    info = Path("/proc/cpuinfo")
    if not info.exists():
        return platform.processor()
    fields = dict(line.split(":", 1) for line in info.read_text().splitlines() if ":" in line)
    names = {name.strip(): value.strip() for name, value in fields.items()}
    return f"{names.get('model name', '')}, family {names.get('cpu family')} model {names.get('model')}"


def plot(path: Path, tables: Sequence[Table]) -> None:
    """Time against noise, for each vocabulary; hollow where an approximate search found too little."""
    columns = min(2, len(tables))
    rows = -(-len(tables) // columns)
    figure = Figure(figsize=(8 * columns, 5 * rows))
    axes = figure.subplots(rows, columns, squeeze=False)
    for axis in axes.flat[len(tables) :]:
        axis.remove()
    for axis, (setup, _, results) in zip(axes.flat, tables, strict=False):
        for number, name in enumerate(dict.fromkeys(result.method for result in results)):
            line = [result for result in results if result.method == name]
            color = f"C{number % 10}"
            style = "-" if name.startswith("hushbit") else "--"
            noises = [result.noise for result in line]
            axis.plot(noises, [result.one for result in line], style, color=color, label=name)
            for result in line:
                face = color if result.recall >= 0.95 else "white"
                axis.plot(result.noise, result.one, "o", color=color, markerfacecolor=face)
        axis.set(title=str(setup), xlabel="flip probability p", ylabel="µs a query, one at a time", yscale="log")
        axis.grid(visible=True, alpha=0.3)
        axis.legend(fontsize="small")
    figure.suptitle(f"Nearest code, one thread, {processor()}. Hollow: recall below .95")
    figure.tight_layout()
    figure.savefig(path, dpi=100)


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return value
