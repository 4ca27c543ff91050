"""The plan of a bundle: up to how much noise the multi-index hash is tried first."""

import itertools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from hushbit import _core
from hushbit._plumbing.progress import no_progress
from hushbit.toolchain.bundle import BundleOptions, Header, assemble, build_bundle, encode_meta, encode_sections, plan
from hushbit.toolchain.embeddings import Embeddings, Source

NOTHING = dict.fromkeys(("rows", "clusters", "tiles", "planes", "lookups", "entries", "blocks", "fallbacks"), 0)


class Counted:
    """A bundle of one code, all zeros."""

    def __init__(self, bits: int) -> None:
        self._bits = bits

    def info(self) -> Any:
        return SimpleNamespace(words=1, bits=self._bits)

    def codes(self, ids: NDArray[np.uint32]) -> NDArray[np.uint8]:
        return np.zeros((len(ids), self._bits // 8), dtype=np.uint8)


def flips_of(bundle: _core.Bundle, scan: str = "clusters") -> float:
    return plan.mih_flips(bundle, scan, 0, no_progress) / plan.UNIT


def counted_flips(monkeypatch: pytest.MonkeyPatch, bits: int, lookups_of: Callable[[int], int], planes: int) -> float:
    """Costs of a hash that looks up the more the more bits are flipped, and of a scan that always costs the same."""

    def search_work(bundle: object, codes: NDArray[np.uint8], search: str) -> Any:
        flips = int(np.bitwise_count(codes).sum())
        counts = {"lookups": lookups_of(flips)} if search == "mih" else {"planes": planes}
        return SimpleNamespace(**{**NOTHING, **counts})

    monkeypatch.setattr("hushbit._core.search_work", search_work)
    return flips_of(cast(_core.Bundle, Counted(bits)))


@pytest.mark.parametrize("crossing", [3, 20, 77])
def test_where_the_hash_costs_as_much_as_the_scan(monkeypatch: pytest.MonkeyPatch, crossing: int) -> None:
    planes = round(crossing * 1000 * plan.COSTS["lookups"] / plan.COSTS["planes"])
    found = counted_flips(monkeypatch, 256, lambda flips: 1000 * flips + 1, planes)
    # The mean of 256 binomial counts of flips, of a variance below 64 each: 5 standard deviations, 10^-6.
    assert abs(found - crossing) < 5 * np.sqrt(min(crossing, 64) / 256) + 0.1


def test_a_hash_that_never_pays_and_one_that_always_does(monkeypatch: pytest.MonkeyPatch) -> None:
    assert counted_flips(monkeypatch, 128, lambda _: 10**6, 1) == 0
    assert counted_flips(monkeypatch, 128, lambda _: 1, 10**6) == 64


def bundle_of(index: str, count: int) -> _core.Bundle:
    codes = np.random.default_rng(0).integers(256, size=(count, 16), dtype=np.uint8)
    sections = encode_sections([b"%06d" % i for i in range(count)], codes, index)
    return _core.Bundle.from_bytes(assemble(Header(1.0, 64.0, 128, "15.0.0", "brr"), encode_meta({}), sections))


@pytest.mark.parametrize(("index", "scan", "count"), [("both", "clusters", 150_000), ("mih", "rows", 20_000)])
def test_a_real_bundle(index: str, scan: str, count: int) -> None:
    bundle = bundle_of(index, count)
    found = flips_of(bundle, scan)
    assert 1 < found < 40, "the hash pays for little noise, not for much"
    assert found == flips_of(bundle, scan)


def test_what_export_stores() -> None:
    vectors = np.random.default_rng(0).normal(size=(20_000, 8)).astype(np.float32)
    words = ["".join(letters) for letters in itertools.islice(itertools.product("abcdefghijkl", repeat=4), 20_000)]
    embeddings = Embeddings(words, vectors, Source("toy.txt", "0" * 64), 20_000, 0, [])
    for index in ("both", "mih", "clusters", "none"):
        data, report = build_bundle(
            embeddings, BundleOptions(bits=64, epsilon=1.0, binarizer="projection", index=index)
        )
        info = _core.Bundle.from_bytes(data).info()
        assert report.info.mih_flips == info.mih_flips
        # Clusters of so few words are scanned in no time.
        assert (info.mih_flips > 0) == (index == "mih")
