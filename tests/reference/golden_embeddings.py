"""Golden vectors of embeddings: bundles that have one, and what texts are released as."""

from dataclasses import dataclass

import numpy as np

from .brr import Source
from .bundle_file import read_bundle
from .bundle_maker import make_bundle
from .chacha20 import FixedSource, SeededSource, keystream
from .embedding import Embedder
from .embedding_section import EmbeddingTables
from .golden_cases import REVIEW, TEXTS, words
from .golden_crowds import crowd_tables
from .privatizer import Punctuation

_KEY = bytes(range(100, 132))
NAMES = ("embed-64.hushbit", "embed-128.hushbit")


def _digest(label: str) -> bytes:
    import hashlib

    return hashlib.sha256(f"hushbit vectors: {label}".encode()).digest()


def _tables(label: str, bits: int, outputs: int, dimensions: int, directions: int, largest: int) -> EmbeddingTables:
    drawn = keystream(_digest(f"matrix {label}"), 0, 2 * dimensions * bits)
    matrix = np.frombuffer(drawn, dtype="<i2").astype(np.int64) * largest // 32768
    weights = np.frombuffer(keystream(_digest(f"weights {label}"), 0, outputs), dtype=np.uint8)
    seed = int.from_bytes(_digest(f"seed {label}")[:8], "little")
    return EmbeddingTables(
        directions, seed, matrix.astype(np.int16).reshape(dimensions, bits), [int(weight) for weight in weights]
    )


def embedding_bundles(codes_64: dict[str, bytes], codes_128: dict[str, bytes]) -> dict[str, bytes]:
    """File name -> bundle: one with output words, 32 dimensions and the largest numbers; one with small numbers, so
    that inner products are often equal, where all words are output words."""
    names = sorted(codes_64, key=str.encode)
    tables = crowd_tables(names, codes_128)
    few = {name: codes_128[name] for name in names[::5]}
    return {
        NAMES[0]: make_bundle(
            codes_64, epsilon=5.5, tables=tables, mechanism=3, defaults=(1.5, 1.25, 3),
            embedding=_tables("64", 64, len(tables.outputs), 32, 16384, 32768),
        ),
        NAMES[1]: make_bundle(few, index="cluster", embedding=_tables("128", 128, len(few), 24, 300, 3)),
    }  # fmt: skip


@dataclass(frozen=True)
class EmbedCase:
    """One call of embed. `stream`: the random bytes themselves, for what no seed reaches."""

    name: str
    text: bytes
    epsilon: float = 2.0
    punctuation: Punctuation = "drop"
    device_key: bytes | None = None
    epoch: int = 0
    stream: bytes | None = None


def _stream_cases(threshold: int, size: int, count: int) -> list[EmbedCase]:
    """Corners of the draws at epsilon 2."""
    top = (1 << 64) - 1
    text = REVIEW.encode()

    def rejecting(below: int, *draws: int) -> tuple[int, ...]:
        return draws if (1 << 64) % below else ()

    def case(name: str, *draws: int, of: bytes = text) -> EmbedCase:
        return EmbedCase(name, of, stream=words(*draws))

    return [
        case("coin below the threshold, nearest of the crowd", threshold - 1, top // size // 2, 7),
        case("coin below the threshold, farthest of the crowd", threshold - 1, top, 7),
        case("coin at the threshold, last of all", threshold, 7, top),
        case("coin at the threshold, first of all", threshold, 7, top // count // 2),
        case("a vector of zeros takes no crowd", 0, 7, top, of=b"Blorb!"),
        case("draws that are rejected", 0, 0, 0, *rejecting(size, 0, top // 2), *rejecting(count, top)),
    ]


def _cases(embedder: Embedder) -> list[EmbedCase]:
    cases = [EmbedCase(name, text.encode()) for name, text in TEXTS.items()]
    epsilons = (0.0, 1e-18, 0.1, 0.3, 1.0, 1.1, 1.125, 2.0, 3.9, 4.0, 6.0, 8.0, 12.0, 13.0, 44.0, 63.1, 1e300)
    cases += [EmbedCase(f"epsilon {epsilon}", REVIEW.encode(), epsilon) for epsilon in epsilons]
    repeats = "The dog, and THE DOG! Blorb 😀"
    others = ("the dog and the dog blorb 😀 ?", "the dog and the dog blorbs", "the dog and the dog", "")
    cases += [
        EmbedCase("punctuation counts", repeats.encode(), punctuation="privatize"),
        EmbedCase("memoized", repeats.encode(), device_key=_KEY),
        EmbedCase("memoized, another epoch", repeats.encode(), device_key=_KEY, epoch=7),
        EmbedCase("memoized, another epsilon", repeats.encode(), 2.5, device_key=_KEY),
        EmbedCase("memoized, punctuation counts", repeats.encode(), punctuation="privatize", device_key=_KEY),
        *(EmbedCase(f"memoized, like or unlike {i}", text.encode(), device_key=_KEY) for i, text in enumerate(others)),
        EmbedCase("not UTF-8", b"the dog\xff"),
    ]
    return cases + _stream_cases(embedder.threshold, embedder.size, embedder.tables.directions)


def _source(case: EmbedCase) -> Source | None:
    if case.stream is not None:
        return FixedSource(case.stream)
    return SeededSource(_digest(f"embedding, {case.name}")) if case.device_key is None else None


def _entry(bundle_name: str, embedder: Embedder, case: EmbedCase) -> dict[str, object]:
    seeded = case.stream is None and case.device_key is None
    entry: dict[str, object] = {
        "name": f"{bundle_name}: {case.name}",
        "epsilon": case.epsilon,
        "punctuation": case.punctuation,
        "device_key": None if case.device_key is None else case.device_key.hex(),
        "epoch": f"{case.epoch:016x}",
        "seed": _digest(f"embedding, {case.name}").hex() if seeded else None,
        "stream": None if case.stream is None else case.stream.hex(),
        "text": case.text.hex(),
    }
    try:
        text = case.text.decode("utf-8")
    except UnicodeDecodeError as error:
        return entry | {"status": 8, "position": error.start}
    released = embedder.embed(text, _source(case))
    return entry | {
        "status": 0,
        "position": 0,
        "crowd_threshold": f"{embedder.threshold:016x}",
        "crowd_directions": embedder.size,
        "effective_epsilon": embedder.epsilon,
        "vector": [str(number) for number in embedder.vector(text)],
        "index": released.index,
        "signs": f"{released.signs:016x}",
    }


def embedding_vectors(name: str, data: bytes) -> dict[str, object]:
    """What stands in the file of a bundle."""
    bundle = read_bundle(data)
    standard = Embedder(bundle, 2.0)
    tables = standard.tables
    cases = _cases(standard)
    embedders = {case: Embedder(bundle, case.epsilon, case.punctuation, case.device_key, case.epoch) for case in cases}
    return {
        "bundle": name,
        "bundle_hash": bundle.hash.hex(),
        "dimensions": tables.dimensions,
        "directions": tables.directions,
        "seed": f"{tables.seed:016x}",
        "cases": [_entry(name, embedders[case], case) for case in cases],
    }
