"""Checks what users run: releases by the randomness of the operating system, in this process and by other ones.

All other checks draw from a seed, so they would pass on a machine whose generator returns constant bytes. A text of
unknown tokens becomes pure noise at every ε, so whatever repeats or is uneven in it comes from the generator.
"""

import json
import subprocess
import sys
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hushbit import _core_testing
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.errors import HushbitError
from hushbit.study.audit.check import LEVEL, POWER, Check
from hushbit.study.audit.draws import chi_square_check
from hushbit.study.audit.power import binomial_p, binomial_quantile, noticed_chances, noticed_success
from hushbit.study.audit.releases import draw_texts, unknown_token
from hushbit.study.mechanisms.base import Ids
from hushbit.study.mechanisms.core import SEED_BYTES, UNKNOWN, Brr, CoreMechanism, HammingTem, ids_of
from hushbit.study.mechanisms.crowd import CrowdMechanism

HERE, PROCESSES, EACH = 4, 2, 2
"""Releases of the same text in this process; other processes; releases by each of them."""
_RELEASES = HERE + PROCESSES * EACH
_PER_BIN = 60  # draws
_MOST_BINS = 256
_PREDICTABLE = "a generator whose bytes look random but can be predicted"


class Noise(NamedTuple):
    """What pure noise of a mechanism is, by the exact chances of output words."""

    outputs: Ids
    chances: NDArray[np.float64]
    """(outputs,): their sum is 1."""
    equal: float
    """An upper bound of the probability that two independent draws are equal."""


def check_unseeded(
    mechanism: CoreMechanism, path: str | None, tokens: int, progress: Progress = no_progress
) -> list[Check]:
    """Two or three checks. `path` is the bundle's file, which the other processes open; None leaves them out.

    Raises HushbitError if another process fails.
    """
    length = max(tokens // HERE, 1)
    released = _releases(mechanism, path, length, progress)
    noise = _noise(mechanism, length)
    checks = [_repeats_check(released, noise, path is not None), _noise_check(mechanism, released, noise)]
    if isinstance(mechanism, CrowdMechanism):
        checks.append(_crowd_coin(mechanism, tokens))
    elif isinstance(mechanism, Brr):
        checks.append(_bit_coin(mechanism, tokens))
    return checks


def _releases(mechanism: CoreMechanism, path: str | None, length: int, progress: Progress) -> NDArray[np.uint32]:
    """(releases, length): the words that came out, those of this process first."""
    text = b" ".join([unknown_token(mechanism.bundle)] * length)
    found = [_release(mechanism, text)[1] for _ in range(HERE)]
    for process in range(PROCESSES if path is not None else 0):
        progress(process, PROCESSES, "release in other processes")
        found += _release_elsewhere(mechanism, str(path), text)
    progress(PROCESSES, PROCESSES, "release in other processes")
    return np.stack(found)


def _release(mechanism: CoreMechanism, text: bytes) -> tuple[Ids, Ids]:
    """A release without a seed, by the module that apps use: the typed words that got noise, and what came out."""
    result = mechanism.privatizer.privatize(text)
    words = ((token.word, result.text[token.output_begin : token.output_end]) for token in result.tokens)
    noised = [(word, mechanism.bundle.find(output)) for word, output in words if output]  # not what is left out
    return ids_of(word for word, _ in noised), ids_of(output for _, output in noised)


def _release_elsewhere(mechanism: CoreMechanism, path: str, text: bytes) -> list[Ids]:
    """Releases by the command `hushbit privatize`, in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "hushbit",
        "privatize",
        path,
        "--json",
        "--allow-unchanged",
        "--mechanism",
        mechanism.name,
    ]
    command += ["--epsilon", repr(mechanism.info.requested_epsilon)]
    if isinstance(mechanism, HammingTem):
        command += ["--beta", repr(mechanism.beta)]
    if isinstance(mechanism, CrowdMechanism):
        command += ["--crowd-size", mechanism.size]
    done = subprocess.run(command, input=(text + b"\n") * EACH, capture_output=True, check=False)
    if done.returncode != 0:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or ["it said nothing"]
        raise HushbitError(f"hushbit privatize, in a process of its own, failed: {lines[-1]}")
    documents = [json.loads(line) for line in done.stdout.splitlines()]
    return [
        ids_of(mechanism.bundle.find(token["replacement"].encode()) for token in document["tokens"])
        for document in documents
    ]


def _noise(mechanism: CoreMechanism, length: int) -> Noise:
    outputs = mechanism.bundle.output_words()
    if isinstance(mechanism, CrowdMechanism):
        weights = mechanism.output_weights()[outputs].astype(np.float64)
        chances = weights / weights.sum()
        return Noise(outputs, chances, float((chances**2).sum()))
    chances = np.full(len(outputs), 1 / len(outputs))
    if not isinstance(mechanism, Brr):
        return Noise(outputs, chances, 1 / len(outputs))
    # The nearest words of uniform codes have no closed form: seeded draws, whose equal pairs are doubled to be safe.
    seed = bytes(SEED_BYTES)
    drawn = _core_testing.replace(mechanism.privatizer, np.full(length, UNKNOWN, dtype=np.uint32), seed)
    counts = np.unique(drawn, return_counts=True)[1]
    pairs = length * (length - 1) / 2
    return Noise(outputs, chances, min(1.0, (float((counts * (counts - 1) / 2).sum()) * 2 + 10) / max(pairs, 1)))


def _repeats_check(released: NDArray[np.uint32], noise: Noise, elsewhere: bool) -> Check:
    """Counts the places where two releases of the same text have the same word."""
    length = released.shape[1]
    pairs = list(combinations(range(len(released)), 2))
    equal = [int((released[a] == released[b]).sum()) for a, b in pairs]
    most = binomial_quantile(1 - LEVEL / len(pairs), length, noise.equal)
    where = f"{HERE} releases in this process"
    if elsewhere:
        where += f" and {EACH} by each of {PROCESSES} others, by hushbit privatize"
    share = noticed_success(length, most)
    return Check(
        "unseeded repeats",
        max(equal) <= most,
        f"{where}, of {length:,} unknown tokens each: two have {max(equal):,} words in the same places at most; chance "
        f"explains up to {most:,}",
        f"two releases that share the noise of {share:.1%} of their tokens, with {POWER:.1%}"
        if most < length
        else "nothing: so few words can come out that chance explains any number",
        share,
        POWER,
        f"{_PREDICTABLE}, or repeats after more than {_RELEASES} releases or another day"
        + ("" if elsewhere else ", and, as the bundle is no file, other processes"),
    )


def _noise_check(mechanism: CoreMechanism, released: NDArray[np.uint32], noise: Noise) -> Check:
    """Compares pure noise with its exact chances: words by the number that drew them, or for BRR bits of codes."""
    if isinstance(mechanism, Brr):
        return _fair_bits(mechanism, HERE * released.shape[1])
    draws = released.size
    count = int(min(_MOST_BINS, max(2, draws // _PER_BIN)))
    # Words lie side by side in the range of the number that draws them, so bins of neighbors are bins of that number.
    ends = np.cumsum(noise.chances)
    bins = np.minimum(((ends - noise.chances / 2) * count).astype(np.intp), count - 1)
    chances = np.bincount(bins, weights=noise.chances, minlength=count)
    seen = np.bincount(bins[np.searchsorted(noise.outputs, released.reshape(-1))], minlength=count)
    return chi_square_check(
        "unseeded noise",
        f"{draws:,} words drawn for unknown tokens, in {count} bins of the number that draws them",
        [(seen, chances.astype(np.float64) * draws)],
        draws,
        f"{_PREDICTABLE}, the lower bits of its numbers, or one that is uneven in turns",
    )


def _fair_bits(brr: Brr, tokens: int) -> Check:
    bits = brr.bundle.info().bits
    result = _core_testing.privatize(brr.privatizer, b" ".join([unknown_token(brr.bundle)] * tokens), None)
    ones = np.unpackbits(result.noisy_codes, axis=1, bitorder="little").sum(axis=0, dtype=np.int64)
    half = np.full(2, tokens / 2)
    return chi_square_check(
        "unseeded noise",
        f"the {bits} bits of {tokens:,} noisy codes of unknown tokens",
        [(np.array([count, tokens - count]), half) for count in ones.tolist()],
        tokens * bits,
        f"{_PREDICTABLE}, or bits that are fair one by one but depend on each other",
    )


def _crowd_coin(crowds: CrowdMechanism, tokens: int) -> Check:
    """Counts the words that become a member of their crowd."""
    channel = crowds.channel
    typed, outputs = _known_words(crowds, tokens)
    rows = channel.stand_ins[typed]
    different, which = np.unique(rows, return_inverse=True)
    members = (channel.shares[different] > 0).astype(np.float64)
    stay = channel.coin + np.asarray(members @ channel.noise).reshape(-1)
    inside = np.asarray(channel.shares[rows, channel.indices_of(outputs)]).reshape(-1) > 0
    # The tails of independent events with different chances are at most those of the mean chance (Hoeffding 1956).
    return _coin_check(
        int(inside.sum()), len(typed), min(1.0, float(stay[which].mean())), "words became a member of their crowd"
    )


def _bit_coin(brr: Brr, tokens: int) -> Check:
    """Counts the bits that flip in the codes of known words."""
    every = brr.bundle.codes(brr.bundle.stand_ins(np.arange(brr.bundle.info().words, dtype=np.uint32)))
    flips = total = 0
    for text in _texts(brr, tokens):
        result = _core_testing.privatize(brr.privatizer, text, None)
        words = ids_of(token.word for token in result.tokens if token.output_end > token.output_begin)
        known = words != UNKNOWN
        flips += int(np.bitwise_count(result.noisy_codes[known] ^ every[words[known]]).sum())
        total += int(known.sum()) * brr.bundle.info().bits
    return _coin_check(flips, total, float(brr.flip_chance), "bits of the codes of words flipped")


def _coin_check(seen: int, total: int, chance: float, what: str) -> Check:
    blind = f"{_PREDICTABLE}, or a coin that depends on the word but is right on average"
    if total == 0:
        return Check("unseeded coin", True, "no word of the bundle can be typed", "nothing", 1.0, POWER, blind)
    p = binomial_p(seen, total, chance)
    low, high = noticed_chances(total, chance)
    return Check(
        "unseeded coin",
        p > LEVEL,
        f"{seen:,} of {total:,} {what}, expected {chance * total:,.1f}, p {p:.2g}",
        f"a chance of {low:.4g} or less, or of {high:.4g} or more, where {chance:.6g} is right, with {POWER:.1%}",
        max(chance - low, high - chance),
        POWER,
        blind,
    )


def _texts(mechanism: CoreMechanism, tokens: int) -> list[bytes]:
    """Texts that are the same on each machine: only the noise has no seed."""
    return [text for text, _ in draw_texts(mechanism.bundle, tokens, np.random.default_rng(0))]


def _known_words(mechanism: CoreMechanism, tokens: int) -> tuple[Ids, Ids]:
    """Typed words, and the words that a release without a seed put in their places."""
    released = [_release(mechanism, text) for text in _texts(mechanism, tokens)]
    typed, outputs = (np.concatenate(parts) for parts in zip(*released, strict=True))
    return typed[typed != UNKNOWN], outputs[typed != UNKNOWN]
