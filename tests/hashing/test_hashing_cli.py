"""`hushbit hashing` as a user runs it, and the memory that it takes."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cli_runner import Here, run_here
from hashed_models import seed_rows
from hushbit.hashing import FIT_KINDS, hash_features, open_model
from hushbit.hashing.fit.rows import _DENSITIES

SIZE = 2048
WORDS = [f"word{i}" for i in range(900)]
# What a large table may take, in MiB: to read, fit, draw and write, and to attack it as well.
LIMIT_MIB, ATTACKED_LIMIT_MIB = 500, 650


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A binary model of the words, in two weights that add up to zero, heavy-tailed."""
    rows = np.unique(hash_features(WORDS, SIZE)[0])
    weight = np.random.default_rng(0).standard_t(3, size=(len(rows), 1))
    path = tmp_path / "m.npz"
    np.savez(path, range=SIZE, hashes=rows, weights=np.hstack([weight, -weight]), labels=["no", "yes"])
    return path


@pytest.fixture
def seeded(here: Here, monkeypatch: pytest.MonkeyPatch) -> Here:
    """The command in this process, drawing rows with a seed."""
    seed_rows(monkeypatch)
    return here


def ok(*arguments: str | Path) -> bytes:
    done = run_here("hashing", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_fit_is_a_density_or_copies() -> None:
    assert (*_DENSITIES, "copies") == FIT_KINDS


@pytest.mark.parametrize("fit", FIT_KINDS)
def test_privatize(model: Path, tmp_path: Path, seeded: Here, fit: str) -> None:
    private = tmp_path / "p.npz"
    plot = tmp_path / "fit.png"
    arguments = ("--fit", fit, "--plot", plot, "--even-if-told-apart", "--json")
    code, out, err = seeded("hashing", "privatize", model, "-o", private, *arguments)
    assert code == 0, err
    report = json.loads(out)
    before, after = open_model(model).model, open_model(private).model
    assert after.missing == 0
    assert np.array_equal(after.weights[before.hashes], before.weights)
    assert np.array_equal(after.weights[:, 0], -after.weights[:, 1])
    assert (report["genuine_rows"], report["synthetic_rows"]) == (before.rows, SIZE - before.rows)
    assert sum(report["fitted_rows"].values()) == before.rows
    assert report["fit"] == fit
    assert report["attack"]["auc"] == report["attacks_on_fits"][fit]
    assert [item["label"] for item in report["quality"]] == ["no", "yes"]
    assert all(item["kurtosis"] > 1 for item in report["quality"])
    if fit != "gaussian":
        # 750 and 1,300 rows of one distribution are farther apart with probability below 1e-5.
        assert all(item["distance"] < 0.12 for item in report["quality"])
    assert (tmp_path / "fit.png").read_bytes().startswith(b"\x89PNG")


def test_the_report_for_people(model: Path, tmp_path: Path, seeded: Here) -> None:
    code, out, err = seeded("hashing", "privatize", model, "-o", tmp_path / "p.npz")
    assert code == 0, err
    text = out.decode()
    assert "every one of 2,048 hashes has a row" in text
    assert "not an (epsilon, delta)-DP guarantee" in text
    assert text.index("all rows (composed)") < text.index("per draw (as published)")
    assert "KS distance" in text
    assert "no attacker told rows apart, but of so few rows" in text


def test_cost_of_a_term(model: Path, tmp_path: Path) -> None:
    document = json.loads(ok("cost", model, "--features-of-term", "7", "--delta", "1e-6", "--json"))
    (cost,) = document["costs"]
    assert cost["features"] == 7
    assert document["delta"] == 1e-6
    assert document["draws"] == SIZE - open_model(model).model.rows
    for name in ("composed", "per_draw"):
        directions = [cost[name][way]["epsilon"] for way in ("from_table", "from_neighbor")]
        assert cost[name]["epsilon"] == max(directions)
        assert min(directions) < max(directions)
    assert cost["composed"]["epsilon"] > cost["per_draw"]["epsilon"]
    text = ok("cost", model, "--features-of-term", "7", "--plot", tmp_path / "c.png").decode()
    assert "indistinguishability indicator" in text
    assert "far from the Gaussians" in text
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")


def test_the_curve_rises(model: Path) -> None:
    costs = json.loads(ok("cost", model, "--json"))["costs"]
    assert len(costs) > 10
    epsilons = [cost["composed"]["epsilon"] for cost in costs]
    assert epsilons == sorted(epsilons)


def test_every_term_of_a_corpus(model: Path, tmp_path: Path) -> None:
    known = open_model(model).model.hashes
    unknown = next(word for word in (f"other{i}" for i in range(99)) if hash_features([word], SIZE)[0][0] not in known)
    corpus = tmp_path / "corpus.txt"
    corpus.write_text(f"word1 word2\nword2 {unknown}\n")
    document = json.loads(ok("cost", model, "--corpus", corpus, "--json"))
    terms = {term["term"]: term for term in document["terms"]}
    assert {name: term["features"] for name, term in terms.items()} == {"word1": 1, "word2": 1, unknown: 0}
    assert terms["word1"]["composed"] > terms[unknown]["composed"] == 0
    assert "3 terms, the costliest:" in ok("cost", model, "--corpus", corpus, "--top", "1").decode()


def test_infinite_costs_say_so(model: Path) -> None:
    rows = open_model(model).model.rows
    text = ok("cost", model, "--features-of-term", str(rows - 1)).decode()
    assert "infinite for every alpha" in text
    document = json.loads(ok("cost", model, "--features-of-term", str(rows - 1), "--json"))
    assert document["costs"][0]["composed"]["epsilon"] == "Infinity"


def test_attack(model: Path, tmp_path: Path) -> None:
    """The randomness is that of the operating system, so what is found may be anything."""
    ok("privatize", model, "-o", tmp_path / "p.npz", "--fit", "kernel", "--even-if-told-apart")
    found = json.loads(ok("attack", model, tmp_path / "p.npz", "--json"))
    assert found["auc"] == max(max(area, 1 - area) for area in found["by_attacker"].values())
    assert found["told_apart"] == (found["auc"] > found["limit"])
    done = run_here("hashing", "attack", model, model)
    assert done.returncode == 1
    assert b"is not complete" in done.stderr


def test_rows_that_can_be_told_apart_are_not_written(tmp_path: Path, seeded: Here) -> None:
    """Gaussians in the place of very heavy tails."""
    model, private = tmp_path / "m.npz", tmp_path / "p.npz"
    weights = np.random.default_rng(0).standard_t(3, size=(900, 1)) ** 3
    np.savez(model, range=SIZE, hashes=np.arange(900), weights=weights)
    arguments = ("hashing", "privatize", model, "-o", private, "--fit", "gaussian")
    code, _, err = seeded(*arguments)
    assert code == 1
    assert b"would not be private" in err
    assert b"--fit kernel is not told apart: take it" in err
    assert not private.exists()
    code, out, err = seeded(*arguments, "--even-if-told-apart")
    assert code == 0, err
    assert b"NOT PRIVATE" in out
    assert private.exists()


def test_too_few_rows_to_attack(tmp_path: Path) -> None:
    path, private = tmp_path / "m.npz", tmp_path / "p.npz"
    np.savez(path, range=64, hashes=np.arange(9), weights=np.sqrt(np.arange(2.0, 11))[:, None])
    done = run_here("hashing", "privatize", path, "-o", private)
    assert done.returncode == 1
    assert b"an attack needs 20" in done.stderr
    assert b"there are 9 and 55" in done.stderr
    assert not private.exists()
    assert "NOT KNOWN TO BE PRIVATE" in ok("privatize", path, "-o", private, "--even-if-told-apart").decode()
    assert open_model(private).model.missing == 0


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["cost", "MODEL", "--features-of-term", "5000"], 2, b"cannot be removed from a table of"),
        (["cost", "MODEL", "--features-of-term", "0"], 2, b"1 or more"),
        (["cost", "MODEL", "--delta", "1"], 2, b"between 0 and 1"),
        (["cost", "MODEL", "--range", "9"], 2, b"not 9"),
        (["cost", "MODEL", "--ngrams", "3-1"], 2, b"not a range of words"),
        (["cost", "nothing.npz"], 3, b"no such file"),
        (["privatize", "MODEL"], 2, b"required"),
        (["privatize", "MODEL", "-o", "no/such/folder"], 1, b"there is no folder"),
        (["privatize", "EMPTY", "-o", "p.npz"], 2, b"the table is empty"),
        (["privatize", "FULL", "-o", "p.npz"], 2, b"the table is full"),
        (["privatize", "ONE", "-o", "p.npz"], 2, b"2 rows or more"),
        (["cost", "ONE"], 2, b"2 rows or more"),
        ([], 2, b"COMMAND"),
    ],
)
def test_failures(model: Path, tmp_path: Path, arguments: list[str], code: int, complaint: bytes) -> None:
    for name, rows in (("EMPTY", 0), ("FULL", 4), ("ONE", 1)):
        np.savez(tmp_path / f"{name}.npz", range=4, hashes=np.arange(rows), weights=np.arange(1.0, rows + 1)[:, None])
    names = {"MODEL": str(model), **{name: str(tmp_path / f"{name}.npz") for name in ("EMPTY", "FULL", "ONE")}}
    done = run_here("hashing", *[names.get(argument, argument) for argument in arguments], cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert complaint in done.stderr
    assert not (tmp_path / "p.npz").exists()


def test_importing_hushbit_stays_light() -> None:
    script = (
        "import sys, hushbit.cli; assert not {'sklearn', 'matplotlib', 'mmh3', 'hushbit.hashing'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def peak_mib(script: str) -> float:
    """The peak of the resident set of a Python process that runs the script, as it says of itself.

    What the kernel tells its parent would count the moment before exec too, in which it is as large as the parent.
    """
    ask = "print(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')), end='', file=sys.stderr)"
    command = [sys.executable, "-c", f"import sys\n{script}\n{ask}"]
    process = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert process.returncode == 0, process.stderr
    return int(process.stderr.splitlines()[-1].split()[1]) / 1024


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """2^21 hashes of 8 weights, as many of them genuine as in the paper."""
    rows = 1_531_288
    path = tmp_path_factory.mktemp("large") / "m.npz"
    weights = np.random.default_rng(0).standard_t(4, size=(rows, 8))
    np.savez(path, range=1 << 21, hashes=np.arange(rows), weights=weights)
    return path


@pytest.mark.slow
def test_memory_of_a_large_table(large: Path, tmp_path: Path) -> None:
    private = tmp_path / "p.npz"
    arguments = ["hashing", "privatize", str(large), "-o", str(private), "--fit", "kernel", "--even-if-told-apart"]
    assert peak_mib(f"from hushbit.cli import main\nassert main({arguments!r}) == 0") < ATTACKED_LIMIT_MIB
    assert private.stat().st_size > 8 * 8 << 21


@pytest.mark.slow
def test_memory_of_a_large_crfsuite_model(large: Path, tmp_path: Path) -> None:
    """Writing one: each weight takes 20 bytes there, so that a table in memory would show."""
    private = tmp_path / "p.crfsuite"
    script = f"""
from pathlib import Path
import numpy as np
from hushbit.hashing import complete_rows, fit_rows, open_model
from hushbit.hashing.formats.crfsuite import CrfsuiteFile, FEATURE
model = open_model({str(large)!r}).model
file = CrfsuiteFile(Path("m"), model, np.zeros(0, dtype=FEATURE))
file.write({str(private)!r}, complete_rows(model, fit_rows(model.weights)))
"""
    assert peak_mib(script) < LIMIT_MIB
    assert private.stat().st_size > 20 * 8 << 21


def test_memory_of_reading_vowpal_wabbit_s_text(tmp_path: Path) -> None:
    """Two million lines, of which Python's own lists would take half a gigabyte."""
    path = tmp_path / "m.txt"
    header = "Version 9.11.9\nId \nMin label:1\nMax label:8\nbits:24\nlda:0\n0 ngram:\n0 skip:\n"
    header += "options: --oaa 8\nChecksum: 1\n:0\n"
    lines = (f"{index}:{index % 89 + 1}.{index % 97}\n" for index in range(0, 1 << 22, 2))
    path.write_text(header + "".join(lines))
    script = f"from hushbit.hashing import open_model\nassert open_model({str(path)!r}).model.rows == 1 << 19"
    assert peak_mib(script) < 200
