"""Results as a page: python -m search_bench.table search.json > search-table.md"""

import json
import sys
from pathlib import Path
from typing import Any


def page(document: dict[str, Any]) -> str:
    """The page of a document that report.write_json wrote."""
    machine = document["machine"]
    packages = ", ".join(f"{name} {version}" for name, version in document["packages"].items())
    lines = [
        "# Searches, measured",
        "",
        f"These tables are made by `{document['command']}`",
        f"on {machine['processor']}, {machine['system']}, kernels {machine['simd']},",
        f"on one thread, with {packages}.",
        f"Codes are those of {document['source']}; queries are codes of words whose bits were each flipped with",
        "probability p. A cell has the time of one query, asked alone, in microseconds, and how many times faster it",
        f"is than `faiss BinaryFlat` in the same run: asked alone, and {document['batch']} at a time. The recall",
        "stands in parentheses if it is below 1. Below each table stands what Hushbit reads for one query: planes of",
        "the clusters, lookups and blocks of the hash, and by plan the share of all bytes of codes. The methods of",
        "Hushbit are described in [search.md](search.md).",
    ]
    for table in document["tables"]:
        lines += ["", *_table(table)]
    return "\n".join(lines) + "\n"


def _table(table: dict[str, Any]) -> list[str]:
    noises = list(dict.fromkeys(result["noise"] for result in table["results"]))
    cells: dict[str, dict[float, str]] = {}
    for result in table["results"]:
        cells.setdefault(result["method"], {})[result["noise"]] = _cell(result)
    return [
        f"## {table['bits']} bits, {table['words']:,} words",
        "",
        "| | " + " | ".join(f"p = {noise:g}" for noise in noises) + " |",
        "|---" * (len(noises) + 1) + "|",
        *(
            f"| {method} | " + " | ".join(row.get(noise, "") for noise in noises) + " |"
            for method, row in cells.items()
        ),
        "",
        "| read for one query | " + " | ".join(f"p = {noise:g}" for noise in noises) + " |",
        "|---" * (len(noises) + 1) + "|",
        *(f"| {name} | {' | '.join(row)} |" for name, row in _work(table, noises).items()),
    ]


def _cell(result: dict[str, Any]) -> str:
    recall = "" if result["recall"] == 1 else f" ({result['recall']:.2f})"
    return f"{result['one']:.3g} µs, {result['ratio_one']:.3g} ×, {result['ratio_batch']:.3g} ×{recall}"


def _work(table: dict[str, Any], noises: list[float]) -> dict[str, list[str]]:
    """What Hushbit reads for one query: by name, a cell for each noise."""
    by = {(result["method"], result["noise"]): result["work"] for result in table["results"]}
    scans, hashes, plans = ([by[f"hushbit {name}", noise] for noise in noises] for name in ("cluster", "mih", "plan"))
    all_bytes = table["words"] * table["bits"] / 8
    return {
        "planes of the clusters": [f"{scan['planes']:,.0f}" for scan in scans],
        "lookups of the hash": [f"{mih['lookups']:,.0f}" for mih in hashes],
        "blocks of the hash": [f"{mih['blocks']:,.0f}" for mih in hashes],
        "by plan, of all bytes of codes": [f"{plan['bytes'] / all_bytes:.1%}" for plan in plans],
    }


def main() -> int:
    """Reads the file that the command line names; returns the exit code."""
    sys.stdout.write(page(json.loads(Path(sys.argv[1]).read_text())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
