"""`hushbit export`: a bundle from embeddings."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hushbit._options import MECHANISMS
from hushbit.cli._shared import bundle_parts, streams
from hushbit.cli._shared.arguments import add_embeddings, epsilon, natural, output_path, positive, utf8
from hushbit.cli._shared.failure import EXIT_OK, EXIT_USAGE, CommandError
from hushbit.cli._shared.files import reads, writes
from hushbit.cli._shared.kinds import BUNDLE, ENCODER
from hushbit.cli._shared.progress import ProgressBar
from hushbit.toolchain.commands.crowds import add_crowds, crowd_options
from hushbit.toolchain.defaults import EMBEDDING_DIMENSIONS, EXPORTED_EPSILON, EXPORTED_MECHANISM

if TYPE_CHECKING:
    from hushbit.toolchain.bundle import BuildReport, BundleOptions
    from hushbit.toolchain.embeddings import Embeddings

_DESCRIPTION = """\
Builds a bundle: words and their codes, in one file that phones and Python map into memory.

--embeddings is the name of a source that comes as a package (glove-6b-50d, from the extra `glove`), a file or a folder:
  GloVe text        one word and its numbers per line, separated by single spaces or tabs
  word2vec text     the same, after a first line `rows dimensions`; fastText's .vec files are of this kind
  word2vec binary   as written by word2vec with -binary 1, usually called NAME.bin
  NAME.npy          an array with one row per word; the words are in NAME.txt (one per line) or NAME.json (an array)
  NAME.npz          an array of numbers, and an array of the words
  NAME.safetensors  as of Model2Vec, with tokenizer.json or a list as above beside it; needs the extra `vectors`
  gensim            what KeyedVectors.save wrote
  spaCy             the folder of a pipeline with vectors of words, or the folder of its vectors
The first three can be plain or compressed with gzip, bzip2, xz or zip. If a zip contains several files, name one of
them, as in glove.zip/glove.50d.txt. Text must be UTF-8. The type of a file is recognized by its first bytes, not its
name.

E-mail addresses, and words of four or more digits, are left out, so that they are never released as a replacement.
--keep-long-numbers keeps the numbers. Words of more than 255 bytes are left out too, and so are words that no text can
produce (docs/tokenizer.md): those with capital letters, white space, control or format characters, or not in NFC. The
first of several duplicate words is kept. Rows with infinite numbers or NaN are rejected. The report counts all of them.
"""
_EPILOG = """\
examples:
  hushbit export --embeddings glove-6b-50d --bits 256 -o words.hushbit
  hushbit export --embeddings glove.6B.zip/glove.6B.300d.txt --max-words 50000 -o small.hushbit
  hushbit export --embeddings crawl-300d-2M.vec.zip --max-words 50000 -o fasttext.hushbit
  hushbit export --embeddings en_core_web_lg -o spacy.hushbit
  hushbit export --embeddings glove-6b-50d --binarizer neighborhood --encoder encoder.onnx -o words.hushbit
  hushbit export --embeddings more.txt --encoder-from encoder.onnx -o more.hushbit
  hushbit export --embeddings glove-6b-50d --index clusters -o smaller.hushbit
  hushbit export --embeddings glove-6b-50d --output-words all --mechanism brr -o papers.hushbit
  hushbit export --embeddings glove-6b-50d --exclude-outputs english-sensitive-words -o polite.hushbit
  hushbit export --embeddings glove-6b-50d --extend new-words.txt -o newer.hushbit
  hushbit export --embeddings glove-6b-50d --exclude-words rude.txt --exclude-pattern '^[0-9]+$' -o words.hushbit
"""
_LINES_SHOWN = 10


# Variables of OpenBLAS, which numpy's wheels bring, of MKL and of Apple's Accelerate.
_VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def use_one_thread() -> None:
    """Makes sums come out alike however many processors there are, if it is called before numpy is imported.

    Several threads add up in another order. What is learned then differs in its last bits, and codes with it. The
    matrices are so small that one thread is not slower.
    """
    for variable in _VARIABLES:
        os.environ[variable] = "1"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "export", help="make a bundle from word embeddings", description=_DESCRIPTION, epilog=_EPILOG
    )
    add_embeddings(parser, required=True, help="named source or file, see above")
    writes(
        parser.add_argument(
            "-o", "--output", metavar="BUNDLE", type=output_path, required=True, help=".hushbit file to write"
        ),
        kind=BUNDLE,
    )
    parser.add_argument("--bits", type=int, choices=(64, 128, 256, 512), help="number of bits of a code (default: 256)")
    parser.add_argument(
        "--max-words",
        metavar="N",
        type=positive,
        help="read only the first N words of the file; the filters come after",
    )
    parser.add_argument(
        "--strip-prefix",
        metavar="TEXT",
        default="",
        help="take only words that begin with TEXT, and take it off, such as /c/en/ of ConceptNet",
    )
    reads(
        parser.add_argument(
            "--extend",
            metavar="FILE",
            help="add words that the embeddings lack: a line of FILE is a new word, a colon, and known words near to"
            " it, as in `selfie: photo portrait phone`; the new word gets the mean of their vectors",
        )
    )
    reads(
        parser.add_argument(
            "--exclude-words", metavar="FILE", help="leave out the words of FILE, one a line, as spelled"
        )
    )
    parser.add_argument(
        "--exclude-pattern",
        metavar="RE",
        type=utf8,
        help="leave out words in which this Python regular expression is found",
    )
    parser.add_argument(
        "--keep-long-numbers",
        action="store_true",
        help="keep words of four or more digits, such as postal codes; they then count as words and may be released",
    )
    parser.add_argument(
        "--binarizer",
        metavar="NAME",
        help="how codes are made: autoencoder, itq, neighborhood or projection (default: autoencoder)",
    )
    parser.add_argument(
        "--components",
        metavar="N",
        type=natural,
        help="remove the N largest principal components of the vectors first (default: the binarizer chooses)",
    )
    parser.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="set a parameter of the binarizer; may be repeated",
    )
    parser.add_argument(
        "--index",
        choices=("both", "clusters", "mih", "none"),
        default="both",
        help="sections for searches: clusters of words, a multi-index hash for little noise, both, or none "
        "(default: both)",
    )
    encoder = parser.add_argument(
        "--encoder", metavar="FILE", type=output_path, help="write the encoder to this ONNX file, too"
    )
    writes(encoder, kind=ENCODER)
    parser.add_argument(
        "--embedding-dimensions",
        metavar="D",
        type=natural,
        default=EMBEDDING_DIMENSIONS,
        help="number of dimensions of embeddings of whole texts: a multiple of 8 up to 64, or 0 for a bundle "
        f"without them (default: {EMBEDDING_DIMENSIONS})",
    )
    reads(
        parser.add_argument(
            "--encoder-from", metavar="FILE", type=Path, help="make codes by this encoder of an earlier export"
        )
    )
    parser.add_argument(
        "--seed",
        type=natural,
        default=0,
        metavar="N",
        help="random seed; the same seed gives the same bundle (default: 0)",
    )
    parser.add_argument(
        "--mechanism",
        choices=MECHANISMS,
        default=EXPORTED_MECHANISM,
        help=f"default mechanism of the bundle (default: {EXPORTED_MECHANISM})",
    )
    parser.add_argument(
        "--epsilon",
        type=epsilon,
        metavar="E",
        help="default epsilon of that mechanism: per word with crowds, else per differing bit (default: "
        f"{EXPORTED_EPSILON:g} with crowds, else what leaves half of the words unchanged)",
    )
    parser.add_argument(
        "--allow-unchanged",
        action="store_true",
        help="allow an --epsilon that leaves more than about half of the words unchanged; whoever uses the bundle "
        "must allow it, too",
    )
    add_crowds(parser)
    parser.add_argument("--json", action="store_true", help="print the report as one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    use_one_thread()
    from hushbit._plumbing.atomic import write_atomically
    from hushbit.toolchain import bundle
    from hushbit.toolchain.embeddings import (
        VocabularyFilter,
        extended,
        read_definitions,
        read_embeddings,
        read_word_list,
    )

    _check_outputs(arguments)
    options = _options(arguments)
    excluded = [] if arguments.exclude_words is None else read_word_list(arguments.exclude_words)
    vocabulary_filter = VocabularyFilter(excluded, arguments.exclude_pattern, arguments.keep_long_numbers)
    with ProgressBar() as progress:
        embeddings = read_embeddings(
            arguments.embeddings, max_words=arguments.max_words, prefix=arguments.strip_prefix, progress=progress
        )
        if arguments.extend is not None:
            embeddings = extended(embeddings, read_definitions(Path(arguments.extend)))
        data, report = bundle.build_bundle(embeddings, options, vocabulary_filter, progress)
        encoder = None if arguments.encoder is None else _encoder_bytes(report)
        write_atomically(arguments.output, data)
        if encoder is not None:
            write_atomically(arguments.encoder, encoder)
    for warning in report.warnings:
        streams.say(f"warning: {warning}")
    _warn_of_rejected(embeddings)
    document = describe(arguments.output, embeddings, report)
    streams.write_result(document, _human(document), as_json=arguments.json)
    return EXIT_OK


def _check_outputs(arguments: argparse.Namespace) -> None:
    """Says before the work what would fail after it."""
    from hushbit._plumbing.atomic import check_writable

    check_writable(arguments.output)
    if arguments.encoder is not None:
        from hushbit.toolchain.binarize.onnx_file import require_onnx

        check_writable(arguments.encoder)
        require_onnx()


def _options(arguments: argparse.Namespace) -> BundleOptions:
    from hushbit.toolchain import binarize, bundle
    from hushbit.toolchain.crowds import public_words

    encoder = None
    if arguments.encoder_from is not None:
        from hushbit.toolchain.binarize.onnx_file import read_encoder

        if arguments.binarizer is not None or arguments.components is not None or arguments.set:
            raise CommandError("--encoder-from takes the place of --binarizer, --components and --set", EXIT_USAGE)
        encoder = read_encoder(arguments.encoder_from)
    return bundle.BundleOptions(
        bits=arguments.bits or (256 if encoder is None else encoder.bits),
        binarizer=arguments.binarizer or binarize.DEFAULT,
        seed=arguments.seed,
        epsilon=arguments.epsilon,
        mechanism=arguments.mechanism,
        allow_unchanged=arguments.allow_unchanged,
        components=arguments.components,
        parameters=_parameters(arguments.set),
        encoder=encoder,
        index=arguments.index,
        dimensions=arguments.embedding_dimensions,
        crowd_size=arguments.crowd_size,
        crowds=crowd_options(arguments),
        public_words=() if arguments.public_words is None else public_words(arguments.public_words),
    )


def _parameters(settings: list[str]) -> dict[str, str]:
    for setting in settings:
        if "=" not in setting:
            raise CommandError(f"--set {setting}: write NAME=VALUE", EXIT_USAGE)
    return {name: value for name, _, value in (setting.partition("=") for setting in settings)}


def _encoder_bytes(report: BuildReport) -> bytes:
    from hushbit.toolchain.binarize.onnx_file import encoder_bytes

    return encoder_bytes(report.binarizer)


def describe(output: Path, embeddings: Embeddings, report: BuildReport) -> dict[str, Any]:
    """The report as a JSON document. Sizes are in bytes, distances in bits."""
    info, privacy, found = report.info, report.privacy, report.calibration
    lengths = [{"name": section.name, "length": section.length} for section in info.sections]
    sections, savings = bundle_parts.describe(lengths, info.words, info.output_words, info.bits, info.mih_flips)
    return {
        "bundle": str(output),
        "hash": info.hash,
        "file_bytes": info.file_bytes,
        "sections": sections,
        "savings": savings,
        "mih_flips": info.mih_flips,
        "source": embeddings.source.name,
        "rows": embeddings.rows,
        "dimensions": embeddings.dimensions,
        "words": info.words,
        "output_words": info.output_words,
        "public_words": info.public_words,
        "binarizer": report.binarizer.describe(),
        "encoder_sha256": report.encoder_sha256,
        "warnings": list(report.warnings),
        "left_out": report.left_out,
        "duplicates": embeddings.duplicates,
        "rejected_lines": embeddings.rejected,
        "not_utf8_lines": embeddings.not_utf8,
        "why_left_out": report.why,
        "shared_codes": report.shared_codes,
        "average_distance": info.average_distance,
        "max_distance": info.max_distance,
        "max_distance_exact": report.max_distance_exact,
        "mechanism": privacy.mechanism,
        "epsilon": found.epsilon,
        "epsilon_unit": privacy.epsilon_unit,
        "average_per_token": privacy.average_per_token,
        "worst_case_per_token": privacy.worst_case_per_token,
        "crowd": privacy.crowd_size,
        "mean_crowd": privacy.mean_crowd,
        "unchanged": found.unchanged,
        "note": found.note,
    }


def _warn_of_rejected(embeddings: Embeddings) -> None:
    for lines, what in ((embeddings.rejected, "infinite numbers or NaN"), (embeddings.not_utf8, "words not in UTF-8")):
        if lines:
            shown = ", ".join(map(str, lines[:_LINES_SHOWN])) + (", …" if len(lines) > _LINES_SHOWN else "")
            rows = "1 row" if len(lines) == 1 else f"{len(lines)} rows"
            name, place = embeddings.source.name, embeddings.place
            streams.say(f"warning: {name}: rejected {rows} with {what}, {place}s {shown}")


def _human(document: dict[str, Any]) -> list[str]:
    bound = "" if document["max_distance_exact"] else "at most "
    rows = [
        ("bundle", f"{document['bundle']}, {document['file_bytes']:,} bytes"),
        ("hash", document["hash"]),
        ("words", f"{document['words']:,} of {document['rows']:,} rows of {document['source']}"),
        ("binarizer", f"{document['binarizer']['name']}, encoder {document['encoder_sha256'][:16]}"),
    ]
    rows += [("left out", said) for said in document["why_left_out"].values()]
    rows += [
        ("output words", f"{document['output_words']:,} words may come out"),
        ("public words", f"{document['public_words']:,} words are released as typed"),
        ("shared codes", f"{document['shared_codes']:,} words have the code of another word"),
        ("distance", f"P_avg {document['average_distance']:.4f}, P_max {bound}{document['max_distance']} bits"),
        ("mechanism", document["mechanism"]),
        *_cost_rows(document),
        ("unchanged", f"{document['unchanged']:.1%} of the words stay unchanged at this epsilon, on average"),
    ]
    if document["note"] is not None:
        rows.append(("note", document["note"]))
    lines = [f"{name:<14}{value}" for name, value in rows]
    return [*lines, "", *bundle_parts.human(document["sections"], document["savings"], document["words"])]


def _cost_rows(document: dict[str, Any]) -> list[tuple[str, str]]:
    if document["epsilon_unit"] == "word":
        return [
            ("epsilon", f"{document['epsilon']:.6g} per word by default, between any two words"),
            ("crowd", f"{document['crowd']}: {document['mean_crowd']:.4g} words on average"),
        ]
    return [
        ("epsilon", f"{document['epsilon']:.6g} per differing bit by default, which adds up to"),
        ("", f"{document['average_per_token']:.6g} per token on average, for two words P_avg apart"),
        ("", f"{document['worst_case_per_token']:.6g} per token at worst (epsilon * P_max, or less)"),
    ]
