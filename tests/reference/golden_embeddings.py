"""Golden vectors of embeddings: bundles that have one, and what texts are released as."""

import hashlib
from dataclasses import dataclass

import numpy as np

from .brr import Source
from .bundle_file import read_bundle
from .bundle_maker import make_bundle
from .chacha20 import FixedSource, SeededSource, keystream
from .classifier import Classifier
from .embedding import Embedder, VectorEmbedder
from .embedding_section import EmbeddingTables
from .golden_cases import REVIEW, TEXTS, words
from .golden_crowds import crowd_tables
from .privatizer import Punctuation
from .projection import Projection

_KEY = bytes(range(100, 132))
NAMES = ("embed-64.hushbit", "embed-128.hushbit")
CLASSIFIED_BUNDLE = NAMES[0]


def _digest(label: str) -> bytes:
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
        NAMES[1]: make_bundle(few, index="clusters", embedding=_tables("128", 128, len(few), 24, 300, 3)),
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


# ---- Vectors of a caller's own, and classifiers


def _projection() -> Projection:
    numbers, dimensions = 40, 16
    drawn = np.frombuffer(keystream(_digest("projection"), 0, 2 * numbers * dimensions), dtype="<i2")
    mean = np.frombuffer(keystream(_digest("projection mean"), 0, 4 * numbers), dtype="<i4") >> 12
    return Projection(1000, 99, 20, [int(m) for m in mean], drawn.reshape(dimensions, numbers))


def _number_rows() -> dict[str, list[float]]:
    drawn = np.frombuffer(keystream(_digest("numbers"), 0, 160), dtype="<i4") / 2.0**32
    usual = [float(x) for x in drawn.astype(np.float32)]
    return {
        "usual numbers": usual,
        "zeros": [0.0] * 40,
        "halves between integers": [(i + 0.5) / (1 << 20) for i in range(-20, 20)],
        "beyond what integers hold": [float(np.float32(3e38)) * (-1) ** i for i in range(40)],
        "smallest numbers": [float(np.float32(1e-45)) * (-1) ** i for i in range(40)],
        "one number more": [*usual, 0.0],
    }


def vector_vectors() -> dict[str, object]:
    """What stands in `embed-vectors.json`."""
    projection = _projection()
    cases: list[dict[str, object]] = []
    for name, numbers in _number_rows().items():
        for key in (None, _KEY):
            for epsilon in (2.0, 6.0):
                entry: dict[str, object] = {
                    "name": f"{name}, epsilon {epsilon}{', memoized' if key else ''}",
                    "epsilon": epsilon,
                    "device_key": None if key is None else key.hex(),
                    "epoch": f"{3:016x}",
                    "seed": _digest(name).hex() if key is None else None,
                    "numbers": numbers,
                }
                if len(numbers) != len(projection.mean):
                    cases.append(entry | {"status": 1, "position": 0})
                    continue
                embedder = VectorEmbedder(projection, epsilon, key, 3)
                released = embedder.embed_vector(numbers, None if key else SeededSource(_digest(name)))
                cases.append(
                    entry
                    | {
                        "status": 0,
                        "position": 0,
                        "vector": [str(v) for v in projection.vector(projection.quantized(numbers))],
                        "index": released.index,
                        "signs": f"{released.signs:016x}",
                    }
                )
    return {
        "projection": projection.file().hex(),
        "hash": projection.hash.hex(),
        "input_numbers": len(projection.mean),
        "dimensions": projection.dimensions,
        "directions": projection.directions,
        "seed": f"{projection.seed:016x}",
        "cases": cases,
    }


def classifier_vectors(name: str, data: bytes) -> dict[str, object]:
    """What stands in `classify.json`: of the texts of a bundle."""
    bundle = read_bundle(data)
    embedder = Embedder(bundle, 2.0)
    drawn = np.frombuffer(keystream(_digest("classifier"), 0, 4 * 4 * 33), dtype="<i4").reshape(4, 33) >> 1
    rows = [[int(w) for w in row[:32]] for row in drawn]
    rows[3] = rows[2]  # equal scores: the first wins
    biases = [int(row[32]) for row in drawn]
    biases[3] = biases[2]
    classifier = Classifier(
        bundle.hash.hex(), 30, ["news", 'caf\u00e9 "x" \U0001f600', "spam", "spam again"], rows, biases
    )
    file = classifier.file()
    document = file.decode()
    broken = {
        "another bundle": document.replace(classifier.hash[:8], "0" * 8),
        "another version": document.replace('"version": 1', '"version": 2'),
        "another format": document.replace("hushbit-classifier", "hushbit-report"),
        "other dimensions": document.replace('"dimensions": 32', '"dimensions": 24'),
        "a field twice": document.replace('"version": 1,', '"version": 1, "version": 1,'),
        "a field missing": document.replace('"version": 1,', ""),
        "an unknown field": document.replace('"version": 1,', '"version": 1, "more": 1,'),
        "a fraction": document.replace('"fraction_bits": 30', '"fraction_bits": 3.0'),
        "too many bits": document.replace('"fraction_bits": 30', '"fraction_bits": 63'),
        "one name twice": document.replace("spam again", "spam"),
        "an empty name": document.replace("spam again", ""),
        "a row too short": document.replace(str(rows[1][0]) + ",", "", 1),
        "cut off": document[:-4],
        "something behind it": document + "{}",
        "no JSON": "weights",
        "nothing": "",
    }
    cases = []
    for title, text in {**TEXTS, "no known word": "Blorb zork"}.items():
        best, odds = classifier.classify(embedder.vector(text))
        cases.append({"name": title, "text": text.encode().hex(), "best": best, "log_odds": odds})
    return {
        "bundle": name,
        "weights": file.hex(),
        "classes": [title.encode().hex() for title in classifier.classes],
        "cases": cases,
        "refused": [{"name": title, "weights": text.encode().hex()} for title, text in broken.items()],
    }
