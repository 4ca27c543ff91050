"""`hushbit hashing privatize`."""

from __future__ import annotations

import argparse
from typing import Any

from hushbit.cli._shared import streams
from hushbit.cli._shared.failure import EXIT_OK
from hushbit.cli._shared.progress import ProgressBar
from hushbit.cli.hashing.text import CAVEAT, cost_document, number, printable

_SAMPLE_ROWS = 20_000  # drawn anew, to compare the fitted distribution with the genuine rows


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    from hushbit._atomic import check_writable
    from hushbit.hashing.completion import check_fillable, complete_rows
    from hushbit.hashing.fit import fit_rows
    from hushbit.hashing.fit_quality import quality
    from hushbit.hashing.formats import open_model
    from hushbit.hashing.plots import check_plot, plot_fit

    check_writable(arguments.output)
    if arguments.plot is not None:
        check_plot(arguments.plot)
    file = open_model(arguments.model, format=arguments.format, size=arguments.range)
    model = file.model
    check_fillable(model)
    fitted = fit_rows(model.weights, arguments.fit)
    sample = fitted.draw(_SAMPLE_ROWS)[:]
    document: dict[str, Any] = {
        "model": str(arguments.model),
        "private": str(arguments.output),
        "format": file.format,
        "range": model.range,
        "dimensions": model.dimensions,
        "genuine_rows": model.rows,
        "synthetic_rows": model.missing,
        "repeated": fitted.repeated,
        "fit": arguments.fit,
        "fitted_rows": fitted.describe(),
        "quality": [vars(item) for item in quality(model.weights, sample, model.labels)],
        **cost_document(model, [1], arguments.delta),
    }
    if arguments.plot is not None:
        plot_fit(arguments.plot, model.weights, sample, model.labels)
    with ProgressBar() as progress:
        file.write(arguments.output, complete_rows(model, fitted, progress))
    streams.write_result(document, _human(document), as_json=arguments.json)
    return EXIT_OK


def _human(document: dict[str, Any]) -> list[str]:
    fits = ", ".join(f"{count:,} by {kind}" for kind, count in document["fitted_rows"].items())
    cost = document["costs"][0]
    rows = [
        ("private", f"{document['private']}, every one of {document['range']:,} hashes has a row"),
        ("rows", f"{document['genuine_rows']:,} genuine as they were, {document['synthetic_rows']:,} synthetic"),
        ("repeats", f"{document['repeated']:.1%} of the genuine rows equal another, but for the sign; so do synthetic"),
        ("fit", f"distinct rows: {fits}"),
        ("terms of one", f"feature: epsilon {number(cost['composed']['epsilon'])} at delta {document['delta']:g}, "
                         f"all rows (composed); {number(cost['per_draw']['epsilon'])} per draw (as published)"),
        ("", CAVEAT),
    ]  # fmt: skip
    lines = [f"{name:<13}{value}" for name, value in rows]
    lines += ["", f"{'label':<16}{'KS distance':>12}{'1 % level':>11}{'kurtosis':>12}{'synthetic':>12}"]
    for item in document["quality"]:
        lines.append(
            f"{printable(item['label'])[:15]:<16}{item['distance']:>12.4f}{item['threshold']:>11.4f}"
            f"{item['kurtosis']:>12.4g}{item['synthetic_kurtosis']:>12.4g}"
        )
    return lines
