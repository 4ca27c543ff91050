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
        f"Made by `{document['command']}` on {machine['processor']}, {machine['system']}, kernels {machine['simd']},",
        f"one thread, with {packages}. Codes of {document['source']}; queries are codes of words whose bits were each",
        "flipped with probability p. A cell is the time of one query, asked alone, in microseconds, and how many times",
        f"faster than `faiss BinaryFlat` in the same run that is: alone, and {document['batch']} at a time; in",
        "parentheses the recall where it is below 1. What the methods of Hushbit are is in [search.md](search.md).",
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
        "Read for one query: " + "; ".join(_work(table, noises)) + ".",
    ]


def _cell(result: dict[str, Any]) -> str:
    recall = "" if result["recall"] == 1 else f" ({result['recall']:.2f})"
    return f"{result['one']:.3g} µs, {result['ratio_one']:.3g} ×, {result['ratio_batch']:.3g} ×{recall}"


def _work(table: dict[str, Any], noises: list[float]) -> list[str]:
    by = {(result["method"], result["noise"]): result["work"] for result in table["results"]}
    all_bytes = table["words"] * table["bits"] / 8
    lines = []
    for noise in noises:
        scan, mih, plan = (by[f"hushbit {name}", noise] for name in ("cluster", "mih", "plan"))
        lines.append(
            f"p = {noise:g}: {scan['planes']:,.0f} planes of the clusters, or {mih['lookups']:,.0f} lookups and "
            f"{mih['blocks']:,.0f} blocks of the hash; by plan {plan['bytes'] / all_bytes:.1%} of all bytes of codes"
        )
    return lines


def main() -> int:
    """Reads the file that the command line names; returns the exit code."""
    sys.stdout.write(page(json.loads(Path(sys.argv[1]).read_text())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
