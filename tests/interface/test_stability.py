"""Bundles of earlier format versions open and mean what they meant: the promise of docs/stability.md.

Run as a program with bundles as arguments, it prints their entries of fixtures/expected.json.
"""

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import hushbit

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = Path(__file__).parents[1] / "fixtures"
BUNDLES = sorted(FIXTURES.glob("format-*/*.hushbit"))
EXPECTED: dict[str, Any] = json.loads((FIXTURES / "expected.json").read_text(encoding="utf-8"))


def facts(path: Path) -> dict[str, Any]:
    """What must be read the same by every later version."""
    bundle = hushbit.open(path)
    words = [bundle.word(id) for id in range(len(bundle))]
    nearest = bundle.neighbors(words[-1], min(3, bundle.info.output_words))
    privatizer = bundle.privatizer(allow_unchanged=True).info
    return {
        "file": hashlib.sha256(path.read_bytes()).hexdigest(),
        "hash": bundle.info.hash,
        "format_version": bundle.info.format_version,
        "bits": bundle.bits,
        "sections": [section.name for section in bundle.info.sections],
        "words": hashlib.sha256("\n".join(words).encode()).hexdigest(),
        "codes": hashlib.sha256(b"".join(code_of(bundle, word) for word in words)).hexdigest(),
        "neighbors": [[neighbor.word, neighbor.distance] for neighbor in nearest],
        "mechanism": bundle.info.default_mechanism,
        "epsilon": bundle.info.default_epsilon,
        "average_distance": bundle.info.average_distance,
        "max_distance": bundle.info.max_distance,
        "worst_case_per_token": privatizer.worst_case_per_token,
    }


def code_of(bundle: hushbit.Bundle, word: str) -> bytes:
    code: bytes = bundle.code(word).tobytes()
    return code


@pytest.mark.parametrize("path", BUNDLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_bundles_of_earlier_versions_mean_what_they_meant(path: Path) -> None:
    expected = EXPECTED[f"{path.parent.name}/{path.name}"]
    # A better bound may lower what a cost comes to, and nothing may raise it unnoticed.
    found = facts(path)
    for key in ("epsilon", "average_distance", "worst_case_per_token"):
        assert found.pop(key) == pytest.approx(expected.pop(key), rel=1e-12, abs=1e-6)
    assert found == expected
    bundle = hushbit.open(path)
    bundle.verify()
    assert path.parent.name == f"format-{bundle.info.format_version}"
    text = " ".join(bundle.word(id) for id in range(len(bundle)))
    assert bundle.privatizer(allow_unchanged=True).privatize(text).text


def test_every_bundle_is_expected() -> None:
    assert sorted(EXPECTED) == [f"{path.parent.name}/{path.name}" for path in BUNDLES]


def test_every_format_version_has_bundles(vectors: Path) -> None:
    """The document's title names the current version, and its minor versions count from 0."""
    page = (ROOT / "docs/bundle-format.md").read_text(encoding="utf-8")
    title = re.match(r"# The bundle format, `\*\.hushbit`, version 1\.(\d+)\n", page)
    assert title
    minors = range(int(title[1]) + 1)
    assert {path.name for path in FIXTURES.glob("format-*")} == {f"format-1.{minor}" for minor in minors}
    written = {hushbit.open(path).info.format_version for path in vectors.glob("*.hushbit")}
    assert written <= {f"1.{minor}" for minor in minors}


if __name__ == "__main__":
    print(json.dumps({f"{Path(p).parent.name}/{Path(p).name}": facts(Path(p)) for p in sys.argv[1:]}))
