"""The golden vectors of tests/vectors, as its README describes them."""

import hashlib
import json
import math
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from . import coin
from .brr import distances, nearest_words
from .bundle_file import BundleFile, read_bundle
from .bundle_maker import make_bundle
from .chacha20 import FixedSource, SeededSource, keystream
from .crowd import crowds_of
from .golden_cases import CASES, EPSILONS, STREAM_CASES, TWINS, Case
from .golden_cases_more import MORE_CASES, MORE_STREAM_CASES
from .golden_crowds import CODE_CASES_BUNDLE, CROWD_CASES, crowd_bundles, crowd_stream_cases
from .golden_embeddings import (
    CLASSIFIED_BUNDLE,
    classifier_vectors,
    embedding_bundles,
    embedding_vectors,
    vector_vectors,
)
from .golden_reports import report_vectors
from .privatizer import Privatizer, UnknownWordError

_TOPICS = 40


def _digest(label: str) -> bytes:
    return hashlib.sha256(f"hushbit vectors: {label}".encode()).digest()


def _noisy_copy(center: bytes, label: str, threshold: int) -> bytes:
    """A center with each bit flipped if its byte of the label's keystream is below threshold."""
    draws = np.frombuffer(keystream(_digest(label), 0, 8 * len(center)), dtype=np.uint8)
    flips = np.packbits(draws < threshold, bitorder="little")
    return bytes(np.frombuffer(center, dtype=np.uint8) ^ flips)


@cache
def _topic_center(topic: int, bits: int) -> bytes:
    return keystream(_digest(f"topic {topic}"), 0, bits // 8)


@cache
def _clustered_code(word: str, bits: int) -> bytes:
    topic = int.from_bytes(_digest(word)[:4], "little") % _TOPICS
    return _noisy_copy(_topic_center(topic, bits), f"{bits} {word}", 38)


def clustered_codes(words: list[str], bits: int) -> dict[str, bytes]:
    """Codes as real ones are: words gather around topics. The first word of a group of twins gives them its code."""
    first = {word: group[0] for group in TWINS for word in group}
    return {word: _clustered_code(first.get(word, word), bits) for word in words}


def bundles(vocabulary: list[str]) -> dict[str, bytes]:
    """File name -> bundle. They differ in bits, in layout, in words a block, and in how many words share a code.

    The hash is tried first for some of the noise that the cases have, and not for the rest.
    """
    small = ["no", "not", "n't", "yes", "the", "tie"]
    same = {word: bytes(range(16)) for word in small[:4]}
    return {
        "words-64.hushbit": make_bundle(clustered_codes(vocabulary, 64), block=16),
        "words-256.hushbit": make_bundle(
            clustered_codes(vocabulary, 256),
            epsilon=0.4,
            block=64,
            index="both",
            mih_shift=6,
            mih_flips=40 << 8,
            long_numbers=True,
        ),
        "twins-128.hushbit": make_bundle(
            same | {"the": bytes(16), "tie": bytes(16)}, epsilon=0.5, block=1, index="mih", mih_flips=50 << 8
        ),
        "single-512.hushbit": make_bundle({"word": b"\x5a" * 64}, block=8, index="clusters"),
    }


def _finite(value: float) -> float | None:
    return None if math.isinf(value) else value


def _source(case: Case) -> FixedSource | SeededSource | None:
    """What fresh noise is drawn from."""
    if case.stream is not None:
        return FixedSource(case.stream)
    return SeededSource(_digest(case.name)) if case.device_key is None else None


def _privatizer(bundle: BundleFile, case: Case) -> Privatizer:
    return Privatizer(
        bundle, case.epsilon, case.oov, case.punctuation, case.mask.encode(), case.mechanism, case.beta,
        case.device_key, case.epoch, case.crowd
    )  # fmt: skip


def _case(bundle: BundleFile, case: Case, *, of_crowds: bool = False) -> dict[str, object]:
    """One case as it stands in the file: what goes in, then what comes out."""
    seeded = case.stream is None and case.device_key is None
    entry: dict[str, object] = {
        "name": case.name,
        "mechanism": case.mechanism,
        "epsilon": case.epsilon,
        "beta": case.beta,
        "oov": case.oov,
        "punctuation": case.punctuation,
        "mask": case.mask.encode().hex(),
        "device_key": None if case.device_key is None else case.device_key.hex(),
        "epoch": f"{case.epoch:016x}",
        "seed": _digest(case.name).hex() if seeded else None,
        "stream": None if case.stream is None else case.stream.hex(),
        "text": case.text.hex(),
    }
    privatizer = _privatizer(bundle, case)
    try:
        released = privatizer.privatize(case.text.decode("utf-8"), _source(case))
    except UnicodeDecodeError as error:
        return entry | {"status": 8, "position": error.start}
    except UnknownWordError as error:
        return entry | {"status": 9, "position": error.position}
    tokens = [
        {"kind": t.kind, "id": t.id, "bytes": t.bytes, "utf16": t.utf16, "output": t.output} for t in released.tokens
    ]
    cost = released.cost
    return entry | {
        "status": 0,
        "position": 0,
        "flip_threshold": f"{privatizer.threshold:016x}",
        "gamma": 0 if privatizer.weights is None else privatizer.weights.gamma,
        "tokens": tokens,
        "noisy_codes": [code.tobytes().hex() for code in released.noisy_codes],
        "output": released.text.hex(),
        "cost": {
            "epsilon": cost.epsilon,
            "average": _finite(cost.average),
            "worst_case": _finite(cost.worst_case),
            "words": cost.words,
            "unknown": cost.unknown,
            "dropped": cost.dropped,
            "verbatim": cost.verbatim,
            **({"public_words": cost.public_words} if of_crowds else {}),
        },
    }


def _crowd_case(bundle: BundleFile, case: Case) -> dict[str, object]:
    """The same with what only cases of crowds have."""
    entry = _case(bundle, case, of_crowds=True)
    entry["crowd"] = case.crowd
    if entry["status"] != 0:
        return entry
    if crowds := _privatizer(bundle, case).crowds:
        entry |= {
            "crowd_threshold": f"{crowds.limit:016x}",
            "crowd_mass": crowds.mass,
            "output_mass": crowds.total,
            "mean_crowd": crowds.mean_size(),
        }
    return entry


def _nearest(bundle: BundleFile, name: str) -> list[dict[str, object]]:
    """Codes near and far, each with its nearest words and its 5 (or all) nearest neighbors."""
    size = bundle.bits // 8
    queries = [keystream(_digest(f"{name} query {i}"), 0, size) for i in range(6)]
    queries += [_noisy_copy(bundle.codes[0].tobytes(), f"{name} near {i}", 20 * i) for i in range(3)]
    entries = []
    for query in queries:
        code = np.frombuffer(query, dtype=np.uint8)
        minimum, tied = nearest_words(code, bundle.codes)
        near = distances(code, bundle.codes)
        order = np.lexsort((np.arange(len(near)), near))[:5]
        ids = bundle.tables.outputs
        neighbors = {"ids": [ids[index] for index in order], "distances": near[order].tolist()}
        word = ids[int(tied[0])]
        entries.append(
            {"code": query.hex(), "distance": minimum, "ties": len(tied), "word": word, "neighbors": neighbors}
        )
    return entries


def _bundle_vectors(name: str, data: bytes) -> dict[str, object]:
    bundle = read_bundle(data)
    chosen = [case for case in CASES + STREAM_CASES + MORE_CASES + MORE_STREAM_CASES if case.bundle == name]
    return {**_bundle_facts(name, bundle), "cases": [_case(bundle, case) for case in chosen]}


def _crowd_vectors(name: str, data: bytes) -> dict[str, object]:
    """The vectors of crowds on a bundle."""
    bundle = read_bundle(data)
    tables = bundle.tables
    chosen = [case for case in CROWD_CASES if case.bundle == name]
    many = crowds_of(tables, bundle.codes, "many", 6.0)
    chosen += crowd_stream_cases(name, many.mass, many.total)
    return {
        **_bundle_facts(name, bundle),
        "output_words": len(tables.outputs),
        "public_words": len(tables.public),
        "default_mechanism": ("brr", "tem", "crowd")[bundle.mechanism - 1],
        "default_epsilon": bundle.default_epsilon,
        "default_epsilon_brr": bundle.default_epsilon if bundle.mechanism == 1 else bundle.brr_epsilon,
        "default_epsilon_tem": bundle.default_epsilon if bundle.mechanism == 2 else bundle.tem_epsilon,
        "default_crowd": (None, "one", "few", "many")[bundle.crowd],
        "cases": [_crowd_case(bundle, case) for case in chosen],
    }


def _bundle_facts(name: str, bundle: BundleFile) -> dict[str, object]:
    return {
        "bundle": name,
        "bundle_hash": bundle.hash.hex(),
        "bits": bundle.bits,
        "average_distance": bundle.average_distance,
        "max_distance": bundle.max_distance,
        "max_word_bytes": bundle.max_word_bytes,
        "words": [word.hex() for word in bundle.words],
        "nearest": _nearest(bundle, name),
    }


def _coin_vectors() -> list[dict[str, object]]:
    return [
        {
            "epsilon": epsilon,
            "flip_threshold": f"{coin.flip_threshold(epsilon):016x}",
            "effective_epsilon": min(epsilon, coin.effective_epsilon(epsilon)),
            "clamped": coin.is_clamped(epsilon),
        }
        for epsilon in EPSILONS
    ]


def _keystream_vectors() -> list[dict[str, object]]:
    spans = [(0, 64), (1, 63), (63, 2), (64, 130), (1000, 100), (2**34 + 5, 70), (2**38 - 64, 64)]
    seeds = [bytes(32), bytes(range(32)), _digest("keystream")]
    return [
        {"seed": seed.hex(), "offset": offset, "bytes": keystream(seed, offset, size).hex()}
        for seed in seeds
        for offset, size in spans
    ]


def _as_json(value: object) -> bytes:
    """Plain ASCII JSON, one entry of a top-level list a line, so that a difference is readable."""
    if isinstance(value, list):
        return b"[\n" + b",\n".join(_as_json(item) for item in value) + b"\n]"
    if isinstance(value, dict) and value.keys() & {"cases", "draws"}:
        parts = (json.dumps(key).encode() + b": " + _as_json(item) for key, item in value.items())
        return b"{\n" + b",\n".join(parts) + b"\n}"
    return json.dumps(value, allow_nan=False).encode()


def files(directory: Path) -> Iterator[tuple[str, bytes]]:
    """Name and content of every generated file; reads vocabulary.txt and emoji.txt in `directory`."""
    vocabulary = (directory / "vocabulary.txt").read_text("utf-8").split()
    for name, data in bundles(vocabulary).items():
        yield name, data
        yield f"privatize-{name.removesuffix('.hushbit')}.json", _as_json(_bundle_vectors(name, data)) + b"\n"
        if name == CODE_CASES_BUNDLE:
            yield "privatize-crowds-by-codes.json", _as_json(_crowd_vectors(name, data)) + b"\n"
    for name, data in crowd_bundles(clustered_codes(vocabulary, 64), clustered_codes(vocabulary, 128)).items():
        yield name, data
        yield f"privatize-{name.removesuffix('.hushbit')}.json", _as_json(_crowd_vectors(name, data)) + b"\n"
    for name, data in embedding_bundles(clustered_codes(vocabulary, 64), clustered_codes(vocabulary, 128)).items():
        yield name, data
        yield f"{name.removesuffix('.hushbit')}.json", _as_json(embedding_vectors(name, data)) + b"\n"
        if name == CLASSIFIED_BUNDLE:
            yield "classify.json", _as_json(classifier_vectors(name, data)) + b"\n"
    yield "embed-vectors.json", _as_json(vector_vectors()) + b"\n"
    yield "coin.json", _as_json(_coin_vectors()) + b"\n"
    yield "keystream.json", _as_json(_keystream_vectors()) + b"\n"
    emoji = (directory / "emoji.txt").read_text("utf-8").splitlines()
    read = {name: read_bundle((directory / name).read_bytes()) for name in ("words-64.hushbit", "crowds-64.hushbit")}
    yield "reports.json", _as_json(report_vectors(read, emoji)) + b"\n"
