"""The built-in English bundle: what it holds, and that it is what tools/generate/english_bundle makes."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

import hushbit
from hushbit import _core, _core_testing

ROOT = Path(__file__).resolve().parents[2]
BUILT_IN = ROOT / "python/hushbit/data/english.hushbit"
MAX_BYTES = 4_000_000
SENTENCE = "they charged my card twice for the same ticket"


def test_it_is_small_whole_and_licensed() -> None:
    assert BUILT_IN.stat().st_size <= MAX_BYTES
    bundle = hushbit.open()
    bundle.verify()
    assert bundle.info.hash == hushbit.open(BUILT_IN).info.hash
    assert bundle.words > 370_000  # all of GloVe 6B but long numbers and e-mail addresses, which count as unknown
    assert (bundle.info.output_words, bundle.info.public_words) == (16_384, 0)
    assert bundle.meta["source"]["license"] == "PDDL-1.0"
    assert "Public Domain Dedication" in (BUILT_IN.parent / "LICENSE-PDDL.txt").read_text(encoding="utf-8")


def test_its_default_is_a_crowd_at_one_digit() -> None:
    info = hushbit.open().privatizer().info
    assert (info.mechanism, info.crowd_size, info.epsilon_unit) == ("crowd", "many", "word")
    assert info.effective_epsilon == info.average_per_token == info.worst_case_per_token <= 6
    assert 100 < info.mean_crowd < 200
    assert info.effective_epsilon > 5.999


@pytest.mark.parametrize("mechanism", ["brr", "tem"])
def test_the_papers_mechanisms_are_one_flag_away(mechanism: str) -> None:
    bundle = hushbit.open()
    result = bundle.privatizer(mechanism).privatize(SENTENCE)  # type: ignore[arg-type]
    assert result.cost.words == len(result.text.split()) == 9


def test_releases_are_output_words() -> None:
    bundle = hushbit.open()
    outputs = {bundle._native.word(i).decode() for i in bundle._native.output_words().tolist()}
    result = bundle.privatizer().privatize(f"{SENTENCE} xqzzt 90210 aardvarks")
    assert (result.cost.words, result.cost.unknown) == (10, 2)
    assert set(result.text.split()) <= outputs


def test_sampled_frequencies_are_the_exact_probabilities() -> None:
    # Twenty words; a chi-square of each is beyond its bound with probability 1e-6, so all pass but with 2e-5.
    from scipy.stats import chi2

    native = hushbit.open()._native
    privatizer = _core.Privatizer(native, mechanism="crowd", epsilon=6.0)
    info = privatizer.info()
    weights = _core.output_weights(privatizer).astype(np.float64) / info.output_mass
    coin = info.crowd_threshold / 2**64
    outputs = native.output_words()
    draws = 60_000
    for number, word in enumerate(outputs[:: len(outputs) // 20][:20].tolist()):
        exact = (1 - coin) * weights
        members = _core.crowd(privatizer, word)
        exact[members[:, 0]] += coin * members[:, 1] / info.crowd_mass
        assert exact.sum() == pytest.approx(1, abs=1e-12)
        drawn = _core_testing.replace(privatizer, np.full(draws, word, dtype=np.uint32), number.to_bytes(32, "little"))
        counts = np.bincount(drawn, minlength=len(exact))
        common = exact * draws >= 10
        observed = np.append(counts[common], counts[~common].sum())
        expected = draws * np.append(exact[common], exact[~common].sum())
        statistic = float(((observed - expected) ** 2 / expected).sum())
        assert statistic < chi2.isf(1e-6, len(observed) - 1), native.word(word)


@pytest.mark.slow
def test_the_script_makes_it_again(tmp_path: Path) -> None:
    again = tmp_path / "english.hushbit"
    subprocess.run([ROOT / "tools/generate/english_bundle", again], check=True, capture_output=True)
    if again.read_bytes() == BUILT_IN.read_bytes():
        return
    # Another kind of machine adds up otherwise: words, weights and costs are the same, and nearly all of the crowds.
    made, kept = hushbit.open(again), hushbit.open()
    assert made.words == kept.words
    assert made.privatizer().info == kept.privatizer().info
    ours, theirs = (bundle.privatizer()._native for bundle in (made, kept))
    assert (_core.output_weights(ours) == _core.output_weights(theirs)).all()
    same = total = 0
    for word in kept._native.output_words()[::16].tolist():
        mine, other = (set(_core.crowd(each, word)[:, 0].tolist()) for each in (ours, theirs))
        same, total = same + len(mine & other), total + len(mine | other)
    assert same >= 0.99 * total
