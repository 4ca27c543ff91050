"""`hushbit audit` looks at the bundle that it is given: faults that act only on a large vocabulary end it with code 5.

Chance is seeded, so each test is a fixed computation.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import bdtr, bdtrc

from hushbit import _core
from hushbit.cli import main
from hushbit.study.audit.check import LEVEL, POWER, Check
from hushbit.study.audit.exact import built_as_proved
from hushbit.study.audit.power import binomial_quantile, noticed_chances, noticed_share, noticed_spread
from hushbit.study.audit.recompute import BrrRelease, Codes, Stream, release_brr, release_tem
from hushbit.study.audit.run import AuditOptions, audit_brr, audit_tem
from hushbit.study.mechanisms import Brr, HammingTem
from hushbit.study.mechanisms.core import UNKNOWN, CoreMechanism, Release, ids_of
from hushbit.toolchain.bundle import Header, assemble, encode_meta, encode_sections
from reference import brr as reference_brr
from reference import tem as reference_tem
from reference.chacha20 import SeededSource
from search_cases import make_codes

SEED = bytes(range(32))
WORDS = 1500  # faults act above 1,000
EPSILON = 1.0
FEW = AuditOptions(words=8, bits=6, draws=300, pairs=2, tokens=600)
QUICK = ("--words", "8", "--bits", "6", "--draws", "300", "--pairs", "2", "--tokens", "600")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle with every search, of words some of which share a code."""
    codes = make_codes("topics", WORDS, 64, np.random.default_rng(5))
    letters = b"abcdefghijklmnop"  # a token with many digits is no word
    words = [bytes([119, *(letters[i >> shift & 15] for shift in (8, 4, 0))]) for i in range(WORDS)]
    header = Header(EPSILON, 0.0, 64, _core.UNICODE_VERSION, "brr", mih_flips=64 // 4 * 256)
    file = tmp_path_factory.mktemp("audit") / "large.hushbit"
    file.write_bytes(assemble(header, encode_meta({}), encode_sections(words, codes, "both")))
    return file


@pytest.fixture(scope="module")
def bundle(path: Path) -> _core.Bundle:
    return _core.Bundle.open(str(path))


# ---- The recomputation -----------------------------------------------------------------------------------------


def random_inputs(words: int) -> NDArray[np.uint32]:
    inputs = np.random.default_rng(6).integers(words, size=50, dtype=np.uint32)
    inputs[::7] = UNKNOWN
    return inputs


@pytest.mark.parametrize("name", ["words-64", "words-256", "twins-128", "single-512"])
def test_releases_are_those_of_the_reference(vectors: Path, name: str) -> None:
    codes = Codes(_core.Bundle.open(str(vectors / f"{name}.hushbit")))
    inputs = random_inputs(len(codes.rows))
    known = [None if word == UNKNOWN else codes.rows[word] for word in inputs]
    sources: list[Any] = [SeededSource(SEED)] * len(inputs)
    ids, noisy = reference_brr.replace(known, codes.rows, 1 << 62, sources)
    brr = release_brr(codes, inputs, 1 << 62, SEED)
    assert brr.outputs.tolist() == ids
    np.testing.assert_array_equal(brr.noisy, noisy)
    table = reference_tem.weights(0.3, 0.01, len(codes.rows), codes.bits)
    sources = [SeededSource(SEED)] * len(inputs)
    ids = reference_tem.replace(known, codes.rows, table, sources)
    assert release_tem(codes, inputs, table.weight, SEED).outputs.tolist() == ids
    assert built_as_proved(table.weight, 0.3, 0.01, len(codes.rows))


class HalfComesOut:
    """A bundle of 6 words. Those with odd ids may come out, and stand in for the word before them."""

    def info(self) -> Any:
        return type("Info", (), {"words": 6})

    def stand_ins(self, ids: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return ids | np.uint32(1)

    def output_words(self) -> NDArray[np.uint32]:
        return np.array([1, 3, 5], dtype=np.uint32)

    def codes(self, ids: NDArray[np.uint32]) -> NDArray[np.uint8]:
        assert (ids % 2 == 1).all()
        return np.repeat(ids.astype(np.uint8)[:, None], 8, axis=1)


def test_only_output_words_come_out() -> None:
    codes = Codes(HalfComesOut())  # type: ignore[arg-type]
    inputs = np.array([0, 2, 4, 1, 3, 5, UNKNOWN], dtype=np.uint32)
    brr = release_brr(codes, inputs, 1, SEED)  # a coin that never comes up
    assert brr.outputs[:6].tolist() == [1, 3, 5, 1, 3, 5]
    assert [near.words.tolist() for near in brr.found[:3]] == [[1], [3], [5]]
    tem = release_tem(codes, inputs, [1 << 61] + [1] * 64, SEED)
    assert tem.outputs[:6].tolist() == [1, 3, 5, 1, 3, 5]
    assert {int(brr.outputs[6]), int(tem.outputs[6])} <= {1, 3, 5}


def test_words_that_share_a_code() -> None:
    codes = np.array([[1] * 8, [2] * 8, [1] * 8, [3] * 8, [1] * 8, [3] * 8], dtype=np.uint8)
    words = [b"w%d" % i for i in range(6)]
    header = Header(1.0, 0.0, 64, _core.UNICODE_VERSION, "brr")
    found = Codes(_core.Bundle.from_bytes(assemble(header, b"{}", encode_sections(words, codes))))
    assert sorted(map(tuple, found.twins.tolist())) == [(0, 2), (2, 4), (3, 5)]


def test_an_index_that_is_rejected_is_drawn_again() -> None:
    stream = Stream(SEED)
    stream._ready = bytes(8) + (1 << 63).to_bytes(8, "little")  # 0 is below 2^64 mod 3 = 1
    assert stream.index(3) == 1
    assert stream._ready == b""


# ---- What passes -----------------------------------------------------------------------------------------------


def test_correct_mechanisms_pass(bundle: _core.Bundle) -> None:
    checks = audit_brr(bundle, EPSILON, FEW)
    assert failed(checks) == set()
    names = [check.name for check in checks]
    assert [name for name in names if name.startswith("released")] == [
        f"released, {search}" for search in ("auto", "rows", "clusters", "mih")
    ]
    tem = audit_tem(bundle, EPSILON, 0.001, FEW)
    assert failed(tem) == set()
    for check in checks + tem:
        assert check.notices
        assert check.power in (1, POWER)
        assert check.deviation >= 0


def test_likelihood_ratios_of_words_that_share_a_code_notice_something(bundle: _core.Bundle) -> None:
    ratios = audit_brr(bundle, 2.0, replace(FEW, draws=2000))[-1]
    assert (ratios.name, ratios.passed) == ("likelihood ratios", True)
    assert ratios.deviation < 2


def test_progress_comes_to_its_end(bundle: _core.Bundle) -> None:
    for audit in (audit_brr, lambda *a, **k: audit_tem(a[0], a[1], 0.001, *a[2:], **k)):
        seen: dict[str, tuple[int, int]] = {}

        def see(done: int, total: int, label: str, seen: dict[str, tuple[int, int]] = seen) -> None:
            assert seen.get(label, (0, 0))[0] <= done <= total
            seen[label] = done, total

        audit(bundle, EPSILON, FEW, progress=see)
        assert {"compare every word", "likelihood ratios"} <= set(seen)
        assert all(done == total for done, total in seen.values())


def test_a_bundle_of_words_that_cannot_be_typed() -> None:
    """Its checks say that they notice nothing."""
    codes = make_codes("random", 30, 64, np.random.default_rng(1))
    header = Header(EPSILON, 0.0, 64, _core.UNICODE_VERSION, "brr")
    sections = encode_sections([b"UPPER%d" % i for i in range(10, 40)], codes)
    checks = audit_brr(_core.Bundle.from_bytes(assemble(header, encode_meta({}), sections)), EPSILON, FEW)
    assert failed(checks) == set()
    assert [check.notices for check in checks if check.name == "coins of words"] == ["nothing"]


# ---- Planted faults --------------------------------------------------------------------------------------------

Fault = Callable[[Any, Release, bytes, str], Release]


def failed(checks: list[Check]) -> set[str]:
    return {check.name for check in checks if not check.passed}


def again(brr: Brr, released: Release, seed: bytes, factor: float = 1.0) -> BrrRelease:
    threshold = int(brr.info.flip_threshold * factor)
    return release_brr(Codes(brr.bundle), released.inputs, threshold, seed)


def fewer_flips(brr: Brr, released: Release, seed: bytes, _: str) -> Release:
    return again(brr, released, seed, 0.8)


def threshold_off_by_one_in_200(brr: Brr, released: Release, seed: bytes, _: str) -> Release:
    return again(brr, released, seed, 1.005)


def unknown_like_words(brr: Brr, released: Release, seed: bytes, _: str) -> Release:
    """Unknown tokens are noised like the first word of the vocabulary."""
    inputs = np.where(released.inputs == UNKNOWN, 0, released.inputs).astype(np.uint32)
    return again(brr, Release(inputs, released.outputs, released.noisy), seed)


def ties_toward_the_word(brr: Brr, released: Release, seed: bytes, _: str) -> Release:
    right = again(brr, released, seed)
    outputs = [
        int(word) if word in near.words else int(output)
        for word, near, output in zip(right.inputs, right.found, right.outputs, strict=True)
    ]
    return Release(right.inputs, ids_of(outputs), right.noisy)


def ties_toward_the_lowest(brr: Brr, released: Release, seed: bytes, _: str) -> Release:
    right = again(brr, released, seed)
    return Release(right.inputs, ids_of(int(near.words[0]) for near in right.found), right.noisy)


def one_search_errs(brr: Brr, released: Release, seed: bytes, search: str) -> Release:
    """The hash misses the nearest word of one token in 50."""
    outputs = released.outputs.copy()
    if search == "mih":
        outputs[::50] = (outputs[::50] + 1) % WORDS
    return Release(released.inputs, outputs, released.noisy)


def a_token_less(_: Any, released: Release, __: bytes, ___: str) -> Release:
    return Release(released.inputs[1:], released.outputs[1:], released.noisy[1:])


SEARCHES = {f"released, {search}" for search in ("auto", "rows", "clusters", "mih")}
COINS = {"coins of words"}


@pytest.mark.parametrize(
    ("fault", "noticed"),
    [
        (fewer_flips, SEARCHES | COINS),
        (threshold_off_by_one_in_200, SEARCHES),
        (unknown_like_words, SEARCHES),
        (ties_toward_the_word, SEARCHES),
        (ties_toward_the_lowest, SEARCHES),
        (one_search_errs, {"released, mih"}),
        (a_token_less, SEARCHES),
    ],
)
def test_faults_of_brr_above_1000_words(
    monkeypatch: pytest.MonkeyPatch, capsys: Any, path: Path, vectors: Path, fault: Fault, noticed: set[str]
) -> None:
    plant(monkeypatch, Brr, fault)
    assert main(["audit", str(path), "--epsilon", str(EPSILON), "--json", *QUICK]) == 5
    assert noticed <= {check["name"] for check in document(capsys)["checks"] if not check["passed"]}
    small = str(vectors / "words-64.hushbit")
    assert main(["audit", small, "--epsilon", str(EPSILON), "--json", *QUICK]) == 0  # there it does not act


def test_a_search_that_counts_ties_wrongly(monkeypatch: pytest.MonkeyPatch, bundle: _core.Bundle) -> None:
    original = Brr.nearest

    def nearest(self: Brr, codes: Any, search: str) -> Any:
        distances, ties, lowest = original(self, codes, search)
        return distances, ties + (search == "clusters") * (np.arange(len(ties)) == 0), lowest

    monkeypatch.setattr(Brr, "nearest", nearest)
    assert failed(audit_brr(bundle, EPSILON, FEW)) == {"released, clusters"}


def weights_off_by_one(tem: HammingTem, released: Release, seed: bytes, _: str) -> Release:
    """Each distance has the weight of the next."""
    shifted = tem.weights.tolist()[1:] + tem.weights.tolist()[-1:]
    return release_tem(Codes(tem.bundle), released.inputs, shifted, seed)


def unknown_is_word_0(_: Any, released: Release, __: bytes, ___: str) -> Release:
    outputs = np.where(released.inputs == UNKNOWN, 0, released.outputs).astype(np.uint32)
    return Release(released.inputs, outputs, released.noisy)


def two_words_swapped(_: Any, released: Release, __: bytes, ___: str) -> Release:
    """One word is drawn for its neighbor within a shell, one time in 100."""
    outputs = released.outputs.copy()
    outputs[::100] ^= 1
    return Release(released.inputs, outputs, released.noisy)


@pytest.mark.parametrize("fault", [weights_off_by_one, unknown_is_word_0, two_words_swapped])
def test_faults_of_tem_above_1000_words(
    monkeypatch: pytest.MonkeyPatch, capsys: Any, path: Path, vectors: Path, fault: Fault
) -> None:
    plant(monkeypatch, HammingTem, fault)
    options = ("--epsilon", str(EPSILON), "--mechanism", "tem", "--json", *QUICK)
    assert main(["audit", str(path), *options]) == 5
    assert "released" in {check["name"] for check in document(capsys)["checks"] if not check["passed"]}
    assert main(["audit", str(vectors / "words-64.hushbit"), *options]) == 0


@pytest.mark.parametrize("at", [0, 5, -1])
def test_one_weight_off_by_one(bundle: _core.Bundle, at: int) -> None:
    """Weights are wrong by 1 in 2^62, which no draw can show."""

    class OneMore(HammingTem):
        @property
        def weights(self) -> NDArray[np.uint64]:
            table = _core.weights(self._privatizer)
            table[at] += np.uint64(1)
            return table

    assert "table" in failed(audit_tem(bundle, EPSILON, 0.001, FEW, OneMore))


def plant(monkeypatch: pytest.MonkeyPatch, kind: type[CoreMechanism], fault: Fault) -> None:
    original = kind.release

    def release(self: Any, text: bytes, seed: bytes, search: str = "auto") -> Release:
        released = original(self, text, seed, search)
        return released if self.bundle.info().words <= 1000 else fault(self, released, seed, search)

    monkeypatch.setattr(kind, "release", release)


def document(capsys: Any) -> Any:
    return json.loads(capsys.readouterr().out)


# ---- What each check would have noticed ------------------------------------------------------------------------


@pytest.mark.parametrize(("trials", "chance"), [(100, 0.3), (10_000, 0.5), (500_000, 0.01), (2_000, 1e-9)])
def test_noticed_chances_are_exact(trials: int, chance: float) -> None:
    counts = np.arange(trials + 1)
    below, above = bdtr(counts, trials, chance), np.append(1.0, bdtrc(counts[:-1], trials, chance))
    few, many = counts[below <= LEVEL / 2], counts[above <= LEVEL / 2]
    low, high = noticed_chances(trials, chance)
    assert low < chance < high
    if len(few):
        assert float(bdtr(int(few[-1]), trials, low)) == pytest.approx(POWER)
    else:
        assert low == 0
    assert float(bdtrc(int(many[0]) - 1, trials, high)) == pytest.approx(POWER)


def test_quantiles() -> None:
    for trials, chance in ((10, 0.5), (4000, 0.001), (4000, 0.0), (10, 1.0)):
        for probability in (0.0005, 0.5, 0.9995):
            k = binomial_quantile(probability, trials, chance)
            assert float(bdtr(k, trials, chance)) >= probability or k == trials
            assert k == 0 or float(bdtr(k - 1, trials, chance)) < probability + 1e-12


def test_noticed_shares_and_spreads() -> None:
    assert (1 - noticed_share(500)) ** 500 == pytest.approx(1 - POWER)
    generator = np.random.default_rng(8)
    draws, outcomes = 20_000, 40
    spread = noticed_spread(draws, outcomes - 1)
    shares = np.full(outcomes, 1 / outcomes)
    faulty = shares * (1 + spread * np.where(np.arange(outcomes) % 2, 1, -1))
    seen = generator.multinomial(draws, faulty, size=2000)
    statistics = ((seen - draws * shares) ** 2 / (draws * shares)).sum(axis=1)
    from scipy.special import chdtrc

    missed = int((chdtrc(outcomes - 1, statistics) > LEVEL).sum())
    assert missed <= 8  # 2 are expected; more than 8 with a chance of 2e-4
