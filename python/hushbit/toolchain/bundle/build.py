"""Makes the bytes of a bundle from embeddings, and a report on them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._bundle import Bundle, BundleInfo
from hushbit._options import CROWD_SIZES, MECHANISMS, CrowdSize, Mechanism
from hushbit._plumbing.progress import Progress, no_progress
from hushbit._privatizer import PrivatizerInfo
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain import binarize
from hushbit.toolchain.binarize import Binarizer
from hushbit.toolchain.binarize.bit_statistics import check_codes
from hushbit.toolchain.bundle.calibration import Calibration
from hushbit.toolchain.bundle.container import (
    CODE_BITS,
    MAX_WORDS,
    Header,
    Sections,
    assemble,
    encode_meta,
    encode_sections,
)
from hushbit.toolchain.bundle.crowd_sections import encode_crowds
from hushbit.toolchain.bundle.default_epsilons import choose_defaults
from hushbit.toolchain.bundle.distances import average_distance, words_with_shared_code
from hushbit.toolchain.bundle.embedding_section import encode_embedding
from hushbit.toolchain.bundle.largest_distance import largest_distance
from hushbit.toolchain.bundle.layout import INDEXES
from hushbit.toolchain.bundle.plan import mih_flips
from hushbit.toolchain.crowds import CrowdOptions, Crowds, build_crowds, public_ids, some_are_written_in_letters
from hushbit.toolchain.defaults import EMBEDDING_DIMENSIONS, EXPORTED_CROWD_SIZE, EXPORTED_MECHANISM
from hushbit.toolchain.embeddings import Embeddings, VocabularyFilter, describe_left_out
from hushbit.toolchain.embeddings.marks import refuse_marked


def reachable(words: Sequence[bytes], long_numbers: bool) -> NDArray[np.bool_]:
    """Whether each word is found when it is typed alone. Words are sorted by their bytes, without white space or
    controls.

    `long_numbers`: whether words of four or more digits are words (docs/tokenizer.md). Unreachable words have a
    spelling that the tokenizer never produces: with capital letters, not in NFC, with a curly apostrophe.
    """
    found = np.zeros(len(words), dtype=bool)
    if not words:
        return found
    sections = encode_sections(words, np.zeros((len(words), 8), dtype=np.uint8))
    header = Header(0.0, 0.0, 0, _core.UNICODE_VERSION, "brr", long_numbers=long_numbers)
    bundle = _core.Bundle.from_bytes(assemble(header, b"{}", sections))
    lengths = np.array([len(word) for word in words])
    begins = np.cumsum(lengths + 1) - lengths - 1
    line_of = {int(begin): line for line, begin in enumerate(begins)}
    for token in bundle.tokenize(b"\n".join(words)):
        line = line_of.get(token.byte_begin)
        if line is not None and token.word == line:
            found[line] = token.byte_end - token.byte_begin == lengths[line]
    return found


@dataclass(frozen=True)
class BundleOptions:
    """How to make a bundle. Raises InvalidArgumentError for impossible values."""

    bits: int = 256
    """64, 128, 256 or 512."""
    binarizer: str = binarize.DEFAULT
    """A name of `hushbit.toolchain.binarize.METHODS`."""
    seed: int = 0
    """0 or more: the seed of the binarizer, the clusters, and the samples that calibration and the plan draw."""
    epsilon: float | None = None
    """The default ε of the default mechanism, finite, 0 or more: per word for crowds, otherwise per differing bit. None
    for the standard value."""
    mechanism: Mechanism = EXPORTED_MECHANISM
    """The default mechanism."""
    allow_unchanged: bool = False
    """Whether `epsilon` may leave more than about half of the words unchanged."""
    crowd_size: CrowdSize = EXPORTED_CROWD_SIZE
    """The default size of crowds."""
    crowds: CrowdOptions = field(default_factory=CrowdOptions)
    """The choice of words that may come out, and of their crowds. If all words are output words, the bundle has no
    lists: crowds are then computed from the codes."""
    public_words: Sequence[str] = ()
    """Words that are released as typed and are never drawn as noise."""
    components: int | None = None
    """How many principal components of the vectors to remove first; None for the binarizer's default."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """Parameters of the binarizer, by name."""
    encoder: Binarizer | None = None
    """A binarizer that was learned before. It replaces binarizer, components and parameters."""
    dimensions: int = EMBEDDING_DIMENSIONS
    """The dimensions of embeddings of whole texts: a multiple of 8, 8 to 64; 0 for a bundle without them."""
    index: str = "both"
    """The search indexes in the bundle: "both", "clusters", "mih" or "none"."""

    def __post_init__(self) -> None:
        if self.bits not in CODE_BITS:
            raise InvalidArgumentError(f"codes of {self.bits} bits are not possible; bits must be one of: {CODE_BITS}")
        if self.encoder is not None and self.encoder.bits != self.bits:
            raise InvalidArgumentError(f"the encoder makes codes of {self.encoder.bits} bits, not {self.bits}")
        if self.epsilon is not None and not 0 <= self.epsilon < math.inf:
            raise InvalidArgumentError(f"epsilon is {self.epsilon}; it must be finite, 0 or more")
        if self.index not in INDEXES:
            raise InvalidArgumentError(f"index is {self.index!r}; it must be one of: {', '.join(INDEXES)}")
        if self.dimensions not in range(0, 65, 8):
            raise InvalidArgumentError(
                f"embeddings of {self.dimensions} dimensions are not possible; it must be a multiple of 8, 0 to 64"
            )
        if self.mechanism not in MECHANISMS:
            raise InvalidArgumentError(f"mechanism is {self.mechanism!r}; it must be one of: {', '.join(MECHANISMS)}")
        if self.crowd_size not in CROWD_SIZES:
            raise InvalidArgumentError(
                f"the size of crowds is {self.crowd_size!r}; it must be one of: {', '.join(CROWD_SIZES)}"
            )
        if len(self.public_words) > 0 and self.crowds.outputs == "all":
            raise InvalidArgumentError("public words are never drawn as noise, so not all words can be output words")
        if len(self.crowds.excluded) > 0 and self.crowds.outputs == "all":
            raise InvalidArgumentError(
                "words are excluded from output words, so not all words can be output words: say how many, as 16384"
            )


@dataclass(frozen=True)
class BuildReport:
    """A report on what was made from the embeddings."""

    info: BundleInfo
    """The bundle's counts, distances, sections and defaults."""
    privacy: PrivatizerInfo
    """The promises of its defaults for words."""
    left_out: dict[str, int]
    """Words that were left out, by reason."""
    why: dict[str, str]
    """Describes what was left out, also by the reader, by reason: how many rows and where the first one is."""
    shared_codes: int
    """The number of output words that share a code with another output word."""
    max_distance_exact: bool
    """Otherwise P_max is an upper bound."""
    calibration: Calibration
    binarizer: Binarizer
    """The description of the binarizer that made the codes."""
    encoder_sha256: str
    """The hash of what the binarizer learned."""
    warnings: tuple[str, ...]


def build_bundle(
    embeddings: Embeddings,
    options: BundleOptions,
    vocabulary_filter: VocabularyFilter | None = None,
    progress: Progress = no_progress,
) -> tuple[bytes, BuildReport]:
    """Makes a bundle. The same embeddings, options and filter give the same bytes, unless numpy adds in a different
    order: on another kind of processor, or with another number of threads (`hushbit export` uses one).

    Raises InvalidArgumentError if no word or too many words are left, if the words carry marks that no text has, or if
    the encoder does not match the vectors, and DivergenceError if the codes are useless.
    """
    vocabulary_filter = vocabulary_filter or VocabularyFilter()
    kept, indices = _choose(embeddings.words, vocabulary_filter)
    why = describe_left_out(embeddings, indices)
    _check_count(len(kept), why)
    left_out = {reason: len(words) for reason, words in indices.items()}
    words, vectors, ranks = _sort(embeddings, kept)
    public, missing = public_ids(words, options.public_words)
    crowds = None
    has_letters = some_are_written_in_letters([embeddings.words[i] for i in kept])
    if options.crowds.outputs != "all" and (has_letters or not isinstance(options.crowds.outputs, int)):
        crowds = build_crowds(words, ranks, vectors, options.crowds, progress, public)
    outputs = np.arange(len(words), dtype=np.uint32) if crowds is None else crowds.outputs
    binarizer = options.encoder or _fit(vectors, options, progress)
    if binarizer.dimensions != vectors.shape[1]:
        needed, there = binarizer.dimensions, vectors.shape[1]
        raise InvalidArgumentError(f"the encoder takes vectors of {needed} dimensions; these have {there}")
    codes = binarize.encode(binarizer, vectors[outputs], progress)
    warnings = (*binarizer.warnings, *check_codes(codes), *_about_public_words(public, missing))
    if crowds is None and options.crowds.outputs != "all":
        warnings += ("fewer than two words are written in letters, so all may come out, as with --output-words all",)
    encoded = None if crowds is None else encode_crowds(crowds, len(words), public)
    embedding = None
    if options.dimensions > 0:
        embedding = encode_embedding(codes, ranks, crowds, options.dimensions, options.seed)
    sections = encode_sections(words, codes, options.index, options.seed, progress, encoded, embedding)
    # The core measures on a bundle that is complete except for the measured values.
    header = Header(0.0, average_distance(codes), options.bits, _core.UNICODE_VERSION, "brr")
    draft = _core.Bundle.from_bytes(assemble(header, b"{}", sections))
    max_distance, exact = largest_distance(draft, codes, outputs[_by_norm(vectors[outputs])], progress)
    header = replace(header, max_distance=max_distance, mih_flips=_plan(draft, sections, options.seed, progress))
    defaults = choose_defaults(draft, options.mechanism, options.crowd_size, options.epsilon, options.seed, progress)
    if not options.allow_unchanged:
        defaults.require_changed(options.mechanism)
    header = replace(
        header,
        default_mechanism=options.mechanism,
        default_epsilon=defaults.epsilon,
        other_epsilons=defaults.others,
        default_crowd_size=options.crowd_size if options.mechanism == "crowd" else None,
        long_numbers=vocabulary_filter.keep_long_numbers,
    )
    shared = words_with_shared_code(codes)
    encoder_sha256 = binarize.encoder_hash(binarizer)
    meta = {
        **_describe_input(embeddings, left_out, header.long_numbers),
        "tool": {"name": "hushbit", "version": _core.VERSION},
        "tokenizer": {"unicode": _core.UNICODE_VERSION, "version": 2},
        "binarizer": {**binarizer.describe(), "encoder_sha256": encoder_sha256},
        "codes": {"max_distance_exact": exact, "shared": shared},
        "calibration": defaults.describe(options.seed),
    }
    if crowds is not None:
        meta["crowds"] = _describe_crowds(crowds, options, public)
    data = assemble(header, encode_meta(meta), sections)
    bundle = Bundle(_core.Bundle.from_bytes(data))
    bundle.verify()
    report = BuildReport(
        info=bundle.info,
        privacy=bundle.privatizer(oov="drop", allow_unchanged=True).info,
        left_out=left_out,
        why=why,
        shared_codes=shared,
        max_distance_exact=exact,
        calibration=defaults.calibration,
        binarizer=binarizer,
        encoder_sha256=encoder_sha256,
        warnings=warnings,
    )
    return data, report


def _about_public_words(public: list[int], missing: list[str]) -> list[str]:
    warnings: list[str] = []
    if public:
        warnings.append(
            f"{len(public)} public words are released as typed. They tell a reader much about the words between them,"
            " and the promise is for texts with the same public words in the same places"
        )
    if missing:
        warnings.append(f"{len(missing)} public words are not in the vocabulary; they count as unknown where typed")
    return warnings


def _describe_crowds(crowds: Crowds, options: BundleOptions, public: list[int]) -> dict[str, Any]:
    return {
        "outputs": len(crowds.outputs),
        "alpha": options.crowds.alpha,
        "centers": len(crowds.lists),
        "mean_list": round(sum(map(len, crowds.lists)) / len(crowds.lists), 2),
        "public": len(public),
        "excluded": len(options.crowds.excluded),
    }


def _plan(draft: _core.Bundle, sections: Sections, seed: int, progress: Progress) -> int:
    layout = sections.layout
    if layout.mih is None:
        return 0
    return mih_flips(draft, "rows" if layout.clusters is None else "clusters", seed, progress)


def _fit(vectors: NDArray[np.float32], options: BundleOptions, progress: Progress) -> Binarizer:
    return binarize.fit(
        options.binarizer,
        vectors,
        bits=options.bits,
        seed=options.seed,
        components=options.components,
        parameters=options.parameters,
        progress=progress,
    )


def _check_count(count: int, why: dict[str, str]) -> None:
    if count == 0:
        raise InvalidArgumentError(f"no word is left for the bundle; left out: {'; '.join(why.values())}")
    if count > MAX_WORDS:
        raise InvalidArgumentError(f"{count} words are more than the {MAX_WORDS} of a bundle; use --max-words")


def _choose(words: list[str], vocabulary_filter: VocabularyFilter) -> tuple[list[int], dict[str, list[int]]]:
    """The indices of the kept words, and of those left out, by reason: the filter's, or that no text produces them."""
    kept, left_out = vocabulary_filter.apply(words)
    refuse_marked([words[i] for i in kept])
    spelled = sorted((words[i].encode(), i) for i in kept)
    typed = reachable([word for word, _ in spelled], vocabulary_filter.keep_long_numbers)
    never = sorted(i for (_, i), can_be in zip(spelled, typed, strict=True) if not can_be)
    if not never:
        return kept, left_out
    stay = sorted(set(kept) - set(never))
    return stay, dict(sorted({**left_out, "unreachable": never}.items()))


def _sort(embeddings: Embeddings, kept: list[int]) -> tuple[list[bytes], NDArray[np.float32], NDArray[np.intp]]:
    """The kept words, sorted by their bytes, their vectors, and their ranks in the file, the most frequent first."""
    spelled = sorted((embeddings.words[i].encode(), i) for i in kept)
    places = np.array([i for _, i in spelled], dtype=np.intp)
    return [word for word, _ in spelled], embeddings.vectors[places], places


def _by_norm(vectors: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Rows, starting with the vectors nearest to the mean. Many of those are opposites of each other, up to noise."""
    centered = vectors - vectors.mean(axis=0)
    return np.argsort(np.einsum("ij,ij->i", centered, centered), kind="stable").astype(np.uint32)


def _describe_input(embeddings: Embeddings, left_out: dict[str, int], long_numbers: bool) -> dict[str, Any]:
    source = embeddings.source
    return {
        "source": {
            "name": source.name,
            "sha256": source.sha256,
            "words_sha256": source.words_sha256,
            "license": source.license,
            "rows": embeddings.rows,
            "dimensions": embeddings.dimensions,
            **({} if source.extension_sha256 is None else {"extension_sha256": source.extension_sha256}),
        },
        "vocabulary": {
            "left_out": left_out,
            "duplicates": embeddings.duplicates,
            "rejected": len(embeddings.rejected) + len(embeddings.not_utf8),
            "long_numbers": "kept" if long_numbers else "left out",
        },
    }
