"""From embeddings to the bytes of a bundle, and a report on them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit import _core
from hushbit._options import EXPORTED_MECHANISM, ON_CODES, Mechanism
from hushbit._progress import Progress, no_progress
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain import binarize
from hushbit.toolchain.binarize import Binarizer
from hushbit.toolchain.binarize.bit_statistics import check_codes
from hushbit.toolchain.bundle.calibration import Calibration, calibrate, measure
from hushbit.toolchain.bundle.container import (
    CODE_BITS,
    MAX_WORDS,
    Header,
    Sections,
    assemble,
    encode_meta,
    encode_sections,
)
from hushbit.toolchain.bundle.distances import average_distance, words_with_shared_code
from hushbit.toolchain.bundle.largest_distance import largest_distance
from hushbit.toolchain.bundle.layout import INDEXES
from hushbit.toolchain.bundle.plan import mih_flips
from hushbit.toolchain.bundle.reachable import reachable
from hushbit.toolchain.embeddings import Embeddings, VocabularyFilter, describe_left_out


@dataclass(frozen=True)
class Options:
    """How to make a bundle. Raises InvalidArgumentError for what cannot be."""

    bits: int = 256
    """64, 128, 256 or 512."""
    binarizer: str = binarize.DEFAULT
    """A name of `hushbit.toolchain.binarize.METHODS`."""
    seed: int = 0
    """0 or more: of the binarizer, the clusters, and the samples that calibration and the plan draw."""
    epsilon: float | None = None
    """The default ε per differing bit, finite, 0 or more; None to calibrate it."""
    mechanism: Mechanism = EXPORTED_MECHANISM
    """The default mechanism."""
    components: int | None = None
    """How many principal components of the vectors to remove first; None for the binarizer's own choice."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """Of the binarizer, by name."""
    encoder: Binarizer | None = None
    """A binarizer that was learned before, which takes the place of binarizer, components and parameters."""
    index: str = "both"
    """What the bundle has to search by: "both", "cluster", "mih" or "none"."""

    def __post_init__(self) -> None:
        if self.bits not in CODE_BITS:
            raise InvalidArgumentError(f"codes of {self.bits} bits are not possible; there are: {CODE_BITS}")
        if self.encoder is not None and self.encoder.bits != self.bits:
            raise InvalidArgumentError(f"the encoder makes codes of {self.encoder.bits} bits, not {self.bits}")
        if self.epsilon is not None and not 0 <= self.epsilon < math.inf:
            raise InvalidArgumentError(f"epsilon is {self.epsilon}; it must be finite, 0 or more")
        if self.index not in INDEXES:
            raise InvalidArgumentError(f"index is {self.index!r}; there are: {', '.join(INDEXES)}")
        if self.mechanism not in ON_CODES:
            raise InvalidArgumentError(f"mechanism is {self.mechanism!r}; there are: {', '.join(ON_CODES)}")


@dataclass(frozen=True)
class BuildReport:
    """What became of the embeddings."""

    words: int
    left_out: dict[str, int]
    """Words that were left out, by reason."""
    why: dict[str, str]
    """What was left out, by the reader too, in words, by reason: how many rows and where the first one is."""
    shared_codes: int
    """Words that have the code of another word."""
    average_distance: float
    """P_avg, in bits."""
    max_distance: int
    """P_max, in bits."""
    max_distance_exact: bool
    """Else `max_distance` is an upper bound."""
    mih_flips: float
    """Up to which expected number of flipped bits the multi-index hash is tried first; 0 without one."""
    mechanism: str
    """The default one."""
    average_per_token: float
    """What telling two words apart costs at the default ε, for an average pair."""
    worst_case_per_token: float
    """The same for any pair of words."""
    calibration: Calibration
    section_bytes: dict[str, int]
    file_bytes: int
    hash: str
    """The bundle hash, in hex."""
    binarizer: Binarizer
    """What made the codes."""
    warnings: tuple[str, ...]
    """About the codes."""


def build_bundle(
    embeddings: Embeddings,
    options: Options,
    vocabulary_filter: VocabularyFilter | None = None,
    progress: Progress = no_progress,
) -> tuple[bytes, BuildReport]:
    """Makes a bundle. The same embeddings, options and filter give the same bytes, unless numpy adds up otherwise: on
    another kind of processor, or with another number of threads (`hushbit export` uses one).

    Raises InvalidArgumentError if no word is left, too many are, or the encoder does not fit the vectors, and
    DivergenceError if the codes are of no use.
    """
    vocabulary_filter = vocabulary_filter or VocabularyFilter()
    kept, indices = _choose(embeddings.words, vocabulary_filter)
    why = describe_left_out(embeddings, indices)
    _check_count(len(kept), why)
    left_out = {reason: len(words) for reason, words in indices.items()}
    words, vectors = _sort(embeddings, kept)
    binarizer = options.encoder or _fit(vectors, options, progress)
    if binarizer.dimensions != vectors.shape[1]:
        needed, there = binarizer.dimensions, vectors.shape[1]
        raise InvalidArgumentError(f"the encoder takes vectors of {needed} dimensions; these have {there}")
    codes = binarize.encode(binarizer, vectors, progress)
    warnings = (*binarizer.warnings, *check_codes(codes))
    sections = encode_sections(words, codes, options.index, options.seed, progress)
    # The core measures on a bundle that is complete but for what it measures.
    header = Header(0.0, average_distance(codes), options.bits, _core.UNICODE_VERSION, options.mechanism)
    draft = _core.Bundle.from_bytes(assemble(header, b"{}", sections))
    max_distance, exact = largest_distance(draft, codes, _by_norm(vectors), progress)
    header = replace(header, max_distance=max_distance, mih_flips=_plan(draft, sections, options.seed, progress))
    if options.epsilon is None:
        calibration = calibrate(draft, options.mechanism, options.seed, progress)
    else:
        calibration = measure(draft, options.mechanism, options.epsilon, options.seed, progress)
    header = replace(header, default_epsilon=calibration.epsilon)
    header = replace(header, long_numbers=vocabulary_filter.keep_long_numbers)
    shared = words_with_shared_code(codes)
    meta = {
        **_describe_input(embeddings, left_out, header.long_numbers),
        "tool": {"name": "hushbit", "version": _core.VERSION},
        "tokenizer": {"unicode": _core.UNICODE_VERSION, "version": 2},
        "binarizer": {**binarizer.describe(), "encoder_sha256": binarize.encoder_hash(binarizer)},
        "codes": {"max_distance_exact": exact, "shared": shared},
        "calibration": _describe_calibration(calibration, options),
    }
    data = _assemble_checked(header, meta, sections)
    return data, _report(data, left_out, why, shared, exact, calibration, binarizer, warnings)


def _plan(draft: _core.Bundle, sections: Sections, seed: int, progress: Progress) -> int:
    layout = sections.layout
    if layout.mih is None:
        return 0
    return mih_flips(draft, "rows" if layout.clusters is None else "cluster", seed, progress)


def _fit(vectors: NDArray[np.float32], options: Options, progress: Progress) -> Binarizer:
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
    """The indices of the words that stay, and of those left out by reason: the filter's, or that nobody types them."""
    kept, left_out = vocabulary_filter.apply(words)
    spelled = sorted((words[i].encode(), i) for i in kept)
    typed = reachable([word for word, _ in spelled], vocabulary_filter.keep_long_numbers)
    never = sorted(i for (_, i), can_be in zip(spelled, typed, strict=True) if not can_be)
    if not never:
        return kept, left_out
    stay = sorted(set(kept) - set(never))
    return stay, dict(sorted({**left_out, "unreachable": never}.items()))


def _sort(embeddings: Embeddings, kept: list[int]) -> tuple[list[bytes], NDArray[np.float32]]:
    """The kept words, sorted by their bytes, and their vectors."""
    spelled = sorted((embeddings.words[i].encode(), i) for i in kept)
    return [word for word, _ in spelled], embeddings.vectors[[i for _, i in spelled]]


def _by_norm(vectors: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Ids from the vectors nearest to the mean on. Among those, many are each other's opposite but for noise."""
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
        },
        "vocabulary": {
            "left_out": left_out,
            "duplicates": embeddings.duplicates,
            "rejected": len(embeddings.rejected) + len(embeddings.not_utf8),
            "long_numbers": "kept" if long_numbers else "left out",
        },
    }


def _describe_calibration(calibration: Calibration, options: Options) -> dict[str, Any]:
    return {
        "method": "given" if options.epsilon is not None else "mean N_w",
        "seed": options.seed,
        "sample": calibration.sample,
        "unchanged": round(calibration.unchanged, 6),
        "note": calibration.note,
    }


def _assemble_checked(header: Header, meta: dict[str, Any], sections: Sections) -> bytes:
    """The bundle, once the core has read every byte of it."""
    data = assemble(header, encode_meta(meta), sections)
    _core.Bundle.from_bytes(data).verify()
    return data


def _report(
    data: bytes,
    left_out: dict[str, int],
    why: dict[str, str],
    shared: int,
    exact: bool,
    calibration: Calibration,
    binarizer: Binarizer,
    warnings: tuple[str, ...],
) -> BuildReport:
    bundle = _core.Bundle.from_bytes(data)
    info = bundle.info()
    privacy = _core.Privatizer(bundle, oov="drop").info()
    return BuildReport(
        words=info.words,
        left_out=left_out,
        why=why,
        shared_codes=shared,
        average_distance=info.average_distance,
        max_distance=info.max_distance,
        max_distance_exact=exact,
        mih_flips=info.mih_flips,
        mechanism=privacy.mechanism,
        average_per_token=privacy.average_per_token,
        worst_case_per_token=privacy.worst_case_per_token,
        calibration=calibration,
        section_bytes={section.name: section.length for section in bundle.sections()},
        file_bytes=info.file_bytes,
        hash=info.hash.hex(),
        binarizer=binarizer,
        warnings=warnings,
    )
