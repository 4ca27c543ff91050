"""Exact scores of a classifier for the vector of a text (docs/embedding.md)."""

import json
import math
from dataclasses import dataclass

_VECTOR_BITS = 24


@dataclass(frozen=True)
class Classifier:
    """Weights in units of 2^-fraction_bits."""

    hash: str
    fraction_bits: int
    classes: list[str]
    weights: list[list[int]]
    biases: list[int]

    def file(self) -> bytes:
        """The bytes of the file, with white space and escapes here and there."""
        document = {
            "format": "hushbit-classifier",
            "version": 1,
            "hash": self.hash,
            "dimensions": len(self.weights[0]),
            "fraction_bits": self.fraction_bits,
            "classes": self.classes,
            "weights": self.weights,
            "biases": self.biases,
        }
        return json.dumps(document, indent=1).encode() + b"\n"

    def scores(self, vector: list[int]) -> tuple[list[int], int]:
        """The exact scores, and the length of the scaled vector."""
        largest = max(map(abs, vector))
        shift = _VECTOR_BITS - largest.bit_length() if largest else 0
        scaled = [(abs(v) << shift if shift >= 0 else abs(v) >> -shift) * (1 if v >= 0 else -1) for v in vector]
        length = max(math.isqrt(sum(v * v for v in scaled)), 1)
        scores = [
            sum(w * v for w, v in zip(row, scaled, strict=True)) + length * bias
            for row, bias in zip(self.weights, self.biases, strict=True)
        ]
        return scores, length

    def classify(self, vector: list[int]) -> tuple[int, list[float]]:
        """The best class, of equal ones the first, and the log-odds."""
        scores, length = self.scores(vector)
        odds = [math.ldexp(score / length, -self.fraction_bits) for score in scores]
        return scores.index(max(scores)), odds
