"""Results as a page: python -m search_bench.table search.json > search-table.md"""

import json
import sys
from typing import Any


def page(document: dict[str, Any]) -> str:
    """The page of a document that report.write_json wrote."""
    machine = document["machine"]
    packages = ", ".join(f"{name} {version}" for name, version in document["packages"].items())
    lines = [
        "# Searches, measured",
        "",
        f"Made by `{document['command']}` on {machine['processor']}, {machine['system']}, kernels {machine['simd']}, one",
        f"thread, with {packages}. Codes of {document['source']}; queries are codes of words with every bit flipped with",
        "probability p. A cell is the time of one query, asked alone, in microseconds, and how many times faster than",
        f"`faiss BinaryFlat` in the same run that is: alone, and {document['batch']} at a time. In parentheses, the recall",
        "where it is below 1. What the methods of Hushbit are is in [search.md](search.md).",
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
        *(f"| {method} | " + " | ".join(row.get(noise, "") for noise in noises) + " |" for method, row in cells.items()),
        "",
        "Read for one query: " + "; ".join(_work(table, noises)) + ".",
    ]


def _cell(result: dict[str, Any]) -> str:
    recall = "" if result["recall"] == 1 else f" ({result['recall']:.2f})"
    return f"{result['one']:.3g} µs, {result['ratio_one']:.3g} ×, {result['ratio_batch']:.3g} ×{recall}"


def _work(table: dict[str, Any], noises: list[float]) -> list[str]:
    by = {(result["method"], result["noise"]): result["work"] for result in table["results"]}
    return [
        f"p = {noise:g}: {by['hushbit cluster', noise]['planes']:,.0f} planes in clusters, "
        f"{by['hushbit mih', noise]['lookups']:,.0f} lookups and {by['hushbit mih', noise]['blocks']:,.0f} blocks of the "
        f"hash, {by['hushbit plan', noise]['bytes'] / 1000:,.0f} KB by plan of {table['words'] * table['bits'] // 8000:,}"
        for noise in noises
    ]


def main() -> int:
    """Reads the file that the command line names; returns the exit code."""
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write(page(json.load(file)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
