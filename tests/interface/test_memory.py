"""A bundle of 400,000 words: how little of it opening reads, and how much memory of its own privatizing takes.

A process of its own measures itself, before and after, with everything that does not depend on the bundle already done.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hushbit.toolchain.bundle import Header, assemble, encode_meta, encode_sections

WORDS = 400_000
MEASURE = """
import json, sys
import numpy  # which the interpreter would otherwise import in between
import hushbit

def private_dirty():
    with open("/proc/self/smaps", "rb") as smaps:
        return 1024 * sum(int(line.split()[1]) for line in smaps if line.startswith(b"Private_Dirty:"))

def mapped(path, *kinds):
    inside, total = False, 0
    for line in open("/proc/self/smaps", encoding="utf-8"):
        if "-" in line.split()[0]:
            inside = line.rstrip().endswith(path)
        elif inside and line.startswith(kinds):
            total += 1024 * int(line.split()[1])
    return total

big, small = sys.argv[1:]
hushbit.open(small).privatizer(epsilon=0.1).privatize("the cat " * 500)
private_dirty()
before = private_dirty()

bundle = hushbit.open(big)
opened = private_dirty()
touched = mapped(big, "Rss:")

privatizer = bundle.privatizer(epsilon=0.1)
for i in range(0, 1000, 10):
    privatizer.privatize(" ".join(bundle.word(397 * word) for word in range(i, i + 10)))
after = private_dirty()
dirty = {"opened": opened - before, "after": after - before, "mapped": mapped(big, "Private_Dirty:", "Shared_Dirty:")}
json.dump({"touched": touched, **dirty}, sys.stdout)
"""


@pytest.fixture(scope="module")
def big_bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random words of 5 to 8 letters with random codes: the memory does not depend on what they are."""
    rng = np.random.default_rng(7)
    letters = (rng.integers(0, 26, size=(WORDS + 2000, 8), dtype=np.uint8) + ord("a")).tobytes()
    lengths = rng.integers(5, 9, size=WORDS + 2000)
    words = sorted({letters[8 * i : 8 * i + length] for i, length in enumerate(lengths.tolist())})[:WORDS]
    assert len(words) == WORDS
    codes = rng.integers(0, 256, size=(WORDS, 32), dtype=np.uint8)
    path = tmp_path_factory.mktemp("memory") / "big.hushbit"
    header = Header(
        default_epsilon=0.1, average_distance=128.0, max_distance=256, unicode_version="14.0.0", default_mechanism="brr"
    )
    path.write_bytes(assemble(header, encode_meta({}), encode_sections(words, codes, "both")))
    with path.open("rb") as file:
        os.fsync(file.fileno())  # pages that are still to be written to the disk would count as dirty
    return path


@pytest.fixture(scope="module")
def measured(big_bundle: Path, vectors: Path) -> dict[str, object]:
    arguments = [sys.executable, "-c", MEASURE, str(big_bundle), str(vectors / "words-256.hushbit")]
    done = subprocess.run(arguments, capture_output=True, check=True, timeout=120)
    result: dict[str, object] = json.loads(done.stdout)
    print(result)
    return result


def test_opening_touches_little_of_the_file(big_bundle: Path, measured: dict[str, int]) -> None:
    """A part of 25 MB: Linux maps up to 2 MB around what is read, if the file is in memory, as it is here."""
    assert 0 < measured["touched"] < big_bundle.stat().st_size / 2


def test_privatizing_dirties_under_2_mb(measured: dict[str, int]) -> None:
    assert measured["opened"] < 100_000
    assert measured["after"] < 2_000_000


def test_the_mapped_file_stays_clean(measured: dict[str, int]) -> None:
    assert measured["mapped"] == 0
