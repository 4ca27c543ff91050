"""Results as a table on the terminal and as JSON."""

import platform
from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from search_bench.data import SOURCE, Setup
from search_bench.measure import BATCH, Result

Table = tuple[Setup, dict[str, int], Sequence[Result]]
"""A vocabulary, the sizes of Hushbit's sections in bytes, and the results."""
DEPTH = 4
"""The depth of the document at which a result is: a line of its JSON."""


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


def document(tables: Sequence[Table], command: str, simd: str) -> dict[str, Any]:
    """Everything, with what it was measured on."""
    packages = ["faiss-cpu", "usearch", "annoy", "numpy"]
    return {
        "command": command,
        "machine": {"processor": processor(), "system": _system(), "simd": simd},
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


def _system() -> str:
    """Its name and version, without what a distributor or host adds."""
    return f"{platform.system()} {platform.release().split('-')[0]}"


def processor() -> str:
    """The processor's name and how many this process sees."""
    info = Path("/proc/cpuinfo")
    if not info.exists():
        return platform.processor()
    fields = dict(line.split(":", 1) for line in info.read_text().splitlines() if ":" in line)
    names = {name.strip(): value.strip() for name, value in fields.items()}
    return f"{names.get('model name', '')}, family {names.get('cpu family')} model {names.get('model')}"


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return value
