"""`hushbit audit` checks what users run: a machine whose generator is broken fails.

What is released here has no seed, as no release of a user has one. A check of a correct mechanism fails with a chance
of 1e-6; some dozens are made here.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli_runner import run
from hushbit import _core
from hushbit.errors import HushbitError
from hushbit.study.audit.check import LEVEL, POWER
from hushbit.study.audit.power import chance_to_notice, noticed_spread, noticed_success
from hushbit.study.audit.unseeded import check_unseeded
from hushbit.study.mechanisms import Brr, CrowdMechanism, HammingTem
from hushbit.study.mechanisms.core import CoreMechanism

QUICK = ("--words", "8", "--bits", "6", "--draws", "300", "--pairs", "2", "--tokens", "600")
BROKEN = """
#include <sys/types.h>
static unsigned long long state;
ssize_t getrandom(void* out, size_t size, unsigned flags) {
  unsigned char* bytes = out;
  (void)flags;
  if (state == 0) state = SEED;
  for (size_t i = 0; i < size; ++i) bytes[i] = NEXT;
  return (ssize_t)size;
}
"""
# The second one looks random: what a process gets repeats in the next process only. The third begins elsewhere in each
# process, but sets a bit.
CONSTANT = ("1", "0x5a")
SAME_IN_EACH_PROCESS = (
    "88172645463325252ull",
    "(state = state * 6364136223846793005ull + 1442695040888963407ull) >> 56",
)
UNEVEN = (
    "(unsigned long long)&state ^ 0x9e3779b97f4a7c15ull",
    SAME_IN_EACH_PROCESS[1] + " | ((i & 7) == 7 ? 0x80 : 0)",
)

MAKERS: dict[str, tuple[str, Callable[[_core.Bundle], CoreMechanism]]] = {
    "brr": ("words-64", lambda bundle: Brr(bundle, 1.0)),
    "tem": ("words-64", lambda bundle: HammingTem(bundle, 0.5)),
    "crowd": ("crowds-64", lambda bundle: CrowdMechanism(bundle, 3.0, "many")),
}


def checks_of(vectors: Path, mechanism: str, tokens: int = 600) -> Any:
    name, make = MAKERS[mechanism]
    path = str(vectors / f"{name}.hushbit")
    return check_unseeded(make(_core.Bundle.open(path)), path, tokens)


@pytest.mark.parametrize("mechanism", MAKERS)
def test_the_system_passes(vectors: Path, mechanism: str) -> None:
    checks = checks_of(vectors, mechanism)
    assert [check.name for check in checks if not check.passed] == []
    names = ["unseeded repeats", "unseeded noise", *(["unseeded coin"] if mechanism != "tem" else [])]
    assert [check.name for check in checks] == names
    assert all(check.blind and check.power == POWER and 0 < check.deviation < 1.5 for check in checks)


@pytest.mark.parametrize(("epsilon", "size"), [(0.0, "many"), (3.0, "one"), (60.0, "few")])
def test_every_epsilon_passes(vectors: Path, epsilon: float, size: Any) -> None:
    crowds = CrowdMechanism(_core.Bundle.open(str(vectors / "crowds-64.hushbit")), epsilon, size)
    checks = check_unseeded(crowds, None, 400)
    assert [check.name for check in checks if not check.passed] == []
    assert "other processes" in checks[0].blind


def test_one_word_says_that_it_notices_nothing(vectors: Path) -> None:
    path = str(vectors / "single-512.hushbit")
    checks = check_unseeded(Brr(_core.Bundle.open(path), 1.0), path, 40)
    assert checks[0].passed
    assert checks[0].notices.startswith("nothing")


def test_a_process_that_fails_is_named(vectors: Path, tmp_path: Path) -> None:
    name, make = MAKERS["crowd"]
    with pytest.raises(HushbitError, match="in a process of its own, failed"):
        check_unseeded(make(_core.Bundle.open(str(vectors / f"{name}.hushbit"))), str(tmp_path / "none"), 40)


class OneCoinForAll(CrowdMechanism):
    """Typed words take the crowd more often than the integers say."""

    @property
    def privatizer(self) -> _core.Privatizer:
        return CoreMechanism(self.bundle, self.info.requested_epsilon + 1, crowd_size=self.size).privatizer


def test_another_coin_is_noticed(vectors: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CoreMechanism, "name", "crowd")
    crowds = OneCoinForAll(_core.Bundle.open(str(vectors / "crowds-64.hushbit")), 3.0, "many")
    failed = {check.name for check in check_unseeded(crowds, None, 4000) if not check.passed}
    assert failed == {"unseeded coin"}


def broken(folder: Path, seed: str, following: str) -> dict[str, str]:
    """An environment in which `getrandom` is replaced."""
    source, built = folder / "broken.c", folder / "broken.so"
    source.write_text(BROKEN.replace("SEED", seed).replace("NEXT", following), encoding="utf-8")
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", str(built), str(source)], check=True)
    return {**os.environ, "LD_PRELOAD": str(built), "PYTHONHASHSEED": "0"}


@pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD is of Linux")
@pytest.mark.parametrize(
    ("generator", "seen"),
    [
        (CONSTANT, {"unseeded repeats", "unseeded noise", "unseeded coin"}),
        (SAME_IN_EACH_PROCESS, {"unseeded repeats"}),
        (UNEVEN, {"unseeded noise"}),
    ],
    ids=["constant", "same in each process", "uneven"],
)
@pytest.mark.parametrize("mechanism", ["crowd", "brr"])
def test_a_broken_generator_fails(
    vectors: Path, tmp_path: Path, mechanism: str, generator: tuple[str, str], seen: set[str]
) -> None:
    bundle = vectors / f"{MAKERS[mechanism][0]}.hushbit"
    arguments = ("--epsilon", "3", "--mechanism", mechanism, "--json", *QUICK)
    done = run("audit", bundle, *arguments, env=broken(tmp_path, *generator))
    assert done.returncode == 5, done.stderr
    failed = {check["name"] for check in json.loads(done.stdout)["checks"] if not check["passed"]}
    assert seen <= failed
    assert all(name.startswith("unseeded") for name in failed)  # no other check can see it


def test_what_would_be_noticed() -> None:
    spread = noticed_spread(20_000, 39)
    assert chance_to_notice(20_000, 39, spread) == pytest.approx(POWER, abs=1e-6)
    assert chance_to_notice(20_000, 39, 0.0) == pytest.approx(LEVEL, rel=1e-3)
    assert LEVEL < chance_to_notice(20_000, 39, spread / 2) < POWER
    share = noticed_success(500, 20)
    seen = np.random.default_rng(1).binomial(500, share, size=20_000)
    assert int((seen <= 20).sum()) <= 45  # 20 are expected; more than 45 with a chance of 1e-6
