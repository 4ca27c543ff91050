"""`hushbit quality`: how good the codes of a bundle are."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from hushbit._plumbing.extras import require
from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import add_bundle, add_embeddings, natural, open_bundle
from hushbit.cli._shared.failure import EXIT_NOT_FOUND, EXIT_OK, CommandError
from hushbit.cli._shared.files import inside, reads, writes
from hushbit.cli._shared.kinds import PICTURE
from hushbit.cli._shared.progress import ProgressBar

_DESCRIPTION = """\
Compares the codes of a bundle with the real-valued vectors that they were made of, raw and preprocessed (without their
mean and their largest principal components): how they rank pairs of words, which words are nearest, the statistics of
the bits, what the vectors of embeddings keep before any noise, and where randomized response moves words, at the
epsilon that leaves 25, 50 and 75 % of them unchanged. Only output words have codes, so only these are measured.

--similarity names a folder of word-similarity files, *.txt: two words and a human score, one pair per line.
"""
_EPILOG = """\
examples:
  hushbit quality words.hushbit --embeddings glove-6b-50d
  hushbit quality words.hushbit --embeddings glove-6b-50d --similarity wordsim/ --json
  hushbit quality words.hushbit --embeddings glove-6b-50d --plot quality.png
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "quality", help="measure how good the codes of a bundle are", description=_DESCRIPTION, epilog=_EPILOG
    )
    add_bundle(parser, required=True)
    add_embeddings(parser, required=True)
    reads(
        parser.add_argument("--similarity", metavar="DIR", type=Path, help="folder of word-similarity files"),
        inside("*.txt"),
    )
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="random seed of the samples (default: 0)")
    writes(
        parser.add_argument(
            "--plot", metavar="FILE", type=Path, help="draw a picture to this PNG file, too (needs the extra `privacy`)"
        ),
        kind=PICTURE,
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    from hushbit._plumbing.atomic import check_writable, write_atomically
    from hushbit.toolchain.embeddings import read_embeddings
    from hushbit.toolchain.quality import align, measure_quality
    from hushbit.toolchain.quality.aligned import require_source

    bundle = open_bundle(arguments.bundle)
    if arguments.plot is not None:
        require("privacy", "matplotlib")
        check_writable(arguments.plot)
    similarity = [] if arguments.similarity is None else _similarity_files(arguments.similarity)
    with ProgressBar() as progress:
        embeddings = read_embeddings(arguments.embeddings, progress=progress)
        require_source(bundle, embeddings)
        aligned = align(bundle._native, embeddings)
        document = measure_quality(aligned, similarity, seed=arguments.seed, progress=progress)
        if arguments.plot is not None:
            from hushbit.toolchain.quality.plot import plot_quality

            write_atomically(arguments.plot, plot_quality(document, Path(arguments.bundle).name))
    streams.write_result(document, _human(document), as_json=arguments.json)
    return EXIT_OK


def _similarity_files(folder: Path) -> list[Path]:
    files = sorted(folder.glob("*.txt"))
    if not files:
        raise CommandError(f"{folder}: no folder with *.txt files of word pairs", EXIT_NOT_FOUND)
    return files


def _human(document: dict[str, Any]) -> list[str]:
    codes, distances, random = document["codes"], document["distances"], document["random_pairs"]
    rows = [
        ("words", f"{document['output_words']:,} that may come out, with codes of {document['bits']} bits"),
        ("bits", f"{codes['effective']:.1f} effective, {codes['dead']} dead"),
        ("", f"mean |share of ones - 1/2| {codes['imbalance']:.4f}, mean |correlation| {codes['correlation']:.4f}"),
        ("shared codes", f"{codes['shared']:,} words, {codes['shared_share']:.3%}"),
        ("distance", f"mean {distances['mean']:.2f}, deviation {distances['deviation']:.2f}, max {distances['max']}"),
        ("random pairs", f"Spearman with cosine {random['raw']:.1f} raw, {random['preprocessed']:.1f} preprocessed"),
    ]
    lines = [f"{name:<14}{value}" for name, value in rows]
    lines.append(f"{'preprocessed':<14}without mean and {document['components']} principal components")
    tables = (_similarity_table, _neighbor_table, _embedding_table, _noise_table)
    return lines + [line for table in tables for line in table(document)]


def _similarity_table(document: dict[str, Any]) -> list[str]:
    if not document["similarity"]:
        return []
    lines = ["", f"{'similarity':<14}{'pairs':>7}{'codes':>9}{'raw':>9}{'preprocessed':>14}"]
    for row in document["similarity"]:
        lines.append(f"{row['name']:<14}{row['pairs']:>7}{_three(row)}")
    if document["similarity_mean"] is not None:
        lines.append(f"{'mean':<14}{'':>7}{_three(document['similarity_mean'])}")
    return lines


def _three(row: dict[str, Any]) -> str:
    if row["codes"] is None:
        return f"{'-':>9}{'-':>9}{'-':>14}"
    return f"{row['codes']:>9.1f}{row['raw']:>9.1f}{row['preprocessed']:>14.1f}"


def _neighbor_table(document: dict[str, Any]) -> list[str]:
    lines = ["", f"{'neighbors':<30}{'raw':>9}{'preprocessed':>14}"]
    for row in document["neighbors"]:
        label = f"overlap of the {row['k']} nearest"
        lines.append(f"{label:<30}{row['raw']:>9.1%}{row['preprocessed']:>14.1%}")
    return lines


def _embedding_table(document: dict[str, Any]) -> list[str]:
    embedding = document["embedding"]
    if embedding is None:
        return []
    random, sizes = embedding["random_pairs"], f"{embedding['dimensions']} of {document['bits']} dimensions"
    lines = ["", f"{'embeddings':<14}{sizes}, before noise"]
    lines.append(f"{'':<14}Spearman with cosine {random['raw']:.1f} raw, {random['preprocessed']:.1f} preprocessed")
    if embedding["similarity_mean"] is not None:
        lines.append(f"{'':<14}Spearman with people {embedding['similarity_mean']:.1f}, the mean of the files")
    return lines


def _noise_table(document: dict[str, Any]) -> list[str]:
    heads = f"{'unchanged':>10}{'epsilon':>9}{'* P_avg':>9}"
    lines = ["", f"{'under noise':<12}{heads}   {'changed words, by raw vectors':<40}by preprocessed vectors"]
    for row in document["noise"]:
        numbers = f"{row['unchanged']:>10.1%}{row['epsilon']:>9.3f}{row['average_per_token']:>9.1f}"
        lines.append(f"{'':<12}{numbers}   {_where(row['raw']):<40}{_where(row['preprocessed'])}")
    return lines


def _where(measured: dict[str, Any]) -> str:
    if measured["cosine"] is None:
        return "none"
    shares = [f"{measured[f'among_{k}']:.1%} in {k}" for k in (10, 100) if f"among_{k}" in measured]
    return f"cosine {measured['cosine']:.2f}, " + ", ".join(shares)
