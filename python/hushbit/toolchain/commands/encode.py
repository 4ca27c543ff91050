"""`hushbit encode`: codes of more words, by the encoder of an earlier export."""

from __future__ import annotations

import argparse
from pathlib import Path

from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import add_embeddings, positive
from hushbit.cli._shared.failure import EXIT_OK, EXIT_USAGE, CommandError
from hushbit.cli._shared.files import reads, with_suffixes, writes
from hushbit.cli._shared.kinds import CODES
from hushbit.cli._shared.progress import ProgressBar

_DESCRIPTION = """\
Runs an encoder that `hushbit export --encoder` wrote, by ONNX Runtime (pip install '.[encode]' in the source tree).

Writes two files. CODES.npy is a uint8 array with one row per word: bit i of a code is bit i % 8, counted from the least
significant, of byte i / 8. CODES.txt contains the words in the same order, one per line. The codes are meaningful only
for embeddings from the space that the encoder was made for.
"""
_EPILOG = """\
examples:
  hushbit encode --encoder encoder.onnx --embeddings more.txt -o codes.npy
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "encode", help="compute codes with an exported encoder", description=_DESCRIPTION, epilog=_EPILOG
    )
    reads(
        parser.add_argument(
            "--encoder", metavar="FILE", type=Path, required=True, help="encoder that `hushbit export --encoder` wrote"
        )
    )
    add_embeddings(parser, required=True, help="embeddings of the words, as for export")
    parser.add_argument("--max-words", metavar="N", type=positive, help="read only the first N words")
    writes(
        parser.add_argument("-o", "--output", metavar="CODES.npy", type=Path, required=True, help="file to write"),
        with_suffixes(".txt"),
        kind=CODES,
    )
    parser.add_argument("--json", action="store_true", help="print the report as one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    import io

    import numpy as np

    from hushbit._plumbing.atomic import check_writable, write_atomically
    from hushbit.toolchain.binarize.onnx_file import BIT_ORDER, THRESHOLD_MARGIN, OnnxEncoder
    from hushbit.toolchain.embeddings import read_embeddings

    if arguments.output.suffix != ".npy":
        raise CommandError(
            f"{arguments.output}: the name must end in .npy, because the words are written to a .txt next to it"
        )
    words_path = arguments.output.with_suffix(".txt")
    if words_path.exists() and not arguments.output.exists():  # it is not the word list of earlier codes
        raise CommandError(f"{words_path}: is there already, without {arguments.output}: name another file", EXIT_USAGE)
    check_writable(arguments.output)
    check_writable(words_path)
    encoder = OnnxEncoder(arguments.encoder)
    with ProgressBar() as progress:
        embeddings = read_embeddings(arguments.embeddings, max_words=arguments.max_words, progress=progress)
        codes, near = encoder.encode(embeddings.vectors, progress)
    buffer = io.BytesIO()
    np.save(buffer, codes)
    write_atomically(arguments.output, buffer.getvalue())
    write_atomically(words_path, "".join(f"{word}\n" for word in embeddings.words).encode())
    document = {
        "codes": str(arguments.output),
        "words": len(codes),
        "bits": encoder.bits,
        "bit_order": BIT_ORDER,
        "encoder_sha256": encoder.hash,
        "threshold_margin": THRESHOLD_MARGIN,
        "bits_near_threshold": near,
    }
    lines = [
        f"{len(codes):,} words, {encoder.bits} bits, encoder {encoder.hash}",
        f"{near:,} bits have a score within {THRESHOLD_MARGIN:g} of the threshold",
    ]
    streams.write_result(document, lines, as_json=arguments.json)
    return EXIT_OK
