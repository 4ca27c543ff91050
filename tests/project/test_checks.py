"""tools/suites/check_text.py and check_subjects.py find what is planted, and nothing without it."""

import importlib.util
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / f"tools/suites/{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


text, subjects = load("check_text"), load("check_subjects")


# ---- Help texts


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ('"of all randomness; the same seed, the same bundle (0)"', "begins with 'of'"),
        ('"of a code (256)"', "bare default"),
        ('f"words to sample ({WORDS})"', "bare default"),
        ('f"rows to "\n"show ({ROWS:g})"', "bare default"),
        ('"size of the crowds (the bundle\'s)"', "bare default"),
        ('"between 0 and 1"', "begins with 'between'"),
        ('"With emoji: those with skin tones"', "begins with 'With'"),
    ],
)
def test_a_planted_fragment_of_help_is_found(said: str, problem: str) -> None:
    found = list(text.help_problems(Path("x.py"), f"parser.add_argument('--seed', help={said})\n"))
    assert any(problem in message for message in found), found


@pytest.mark.parametrize(
    "said",
    [
        '"random seed; the same seed gives the same bundle (default: 0)"',
        'f"number of words (default: {WORDS})"',
        '"draw to this file (.svg, .png or .pdf)"',
        '"offset in bytes"',
        "HELP",
    ],
)
def test_help_in_sentences_passes(said: str) -> None:
    assert list(text.help_problems(Path("x.py"), f"parser.add_argument('--seed', help={said})\n")) == []


# ---- Docstrings


@pytest.mark.parametrize(
    "source",
    [
        'def f():\n    """Of each word, the chance."""\n',
        'class C:\n    size: int\n    """In bytes."""\n',
        'N = 3\n"""as `X` says"""\n',
        '"""Where words go."""\n',
    ],
)
def test_a_planted_fragment_of_a_docstring_is_found(source: str) -> None:
    (problem,) = text.docstring_problems(Path("x.py"), source)
    assert "not with a noun or a verb" in problem


def test_docstrings_in_sentences_pass() -> None:
    source = 'def f():\n    """The offset of each word, (words,)."""\n    g("of a call, which is no docstring")\n'
    assert list(text.docstring_problems(Path("x.py"), source)) == []


# ---- Width

LONG = "word " * 30


@pytest.mark.parametrize("name", ["tools/build", "x.sh", "x.toml", "x.yml", "CMakeLists.txt", "docs/x.md", "x.py"])
def test_a_planted_long_line_is_found(name: str) -> None:
    (problem,) = (found for found in text.problems(Path(name), f"short\n{LONG}end\n") if "columns" in found)
    assert problem == f"{name}:2: 153 columns; 120 are the most"


def test_prose_after_a_block_of_code_is_measured() -> None:
    (problem,) = text.problems(Path("x.md"), f"```console\n{LONG}end\n```\n{LONG}end\n")
    assert problem == "x.md:4: 153 columns; 120 are the most"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("x.md", f"| {LONG}|\n"),
        ("x.md", f"```\n{LONG}end\n```\n"),
        ("x.md", f"- [a link]({'x' * 150})\n"),
        ("x.json", f"{LONG}end\n"),
        ("x.md", f"{'é' * 120}\n"),
    ],
)
def test_tables_code_links_and_data_may_be_wide(name: str, written: str) -> None:
    assert list(text.problems(Path(name), written)) == []


# ---- Subjects of commits


def commit(root: Path, subject: str) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", root, *identity, "commit", "-q", "--allow-empty", "-m", subject], check=True)
    done = subprocess.run(["git", "-C", root, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", tmp_path / "there"], check=True)
    return tmp_path / "there"


def test_a_long_subject_after_the_base_is_found(repository: Path) -> None:
    commit(repository, "x" * 100)
    base = commit(repository, "the last of the old ones")
    commit(repository, "é" * 72)
    assert subjects.problems(repository, base) == []
    commit(repository, "y" * 73)
    (problem,) = subjects.problems(repository, base)
    assert "the subject has 73 characters" in problem


def test_a_shallow_clone_without_the_base_checks_what_is_there(repository: Path, tmp_path: Path) -> None:
    commit(repository, "x" * 100)
    base = commit(repository, "the last of the old ones")
    commit(repository, "short")
    commit(repository, "y" * 73)
    shallow = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth", "2", f"file://{repository}", shallow], check=True)
    (problem,) = subjects.problems(shallow, base)
    assert "73 characters" in problem
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{repository}", tmp_path / "one"], check=True)
    assert len(subjects.problems(tmp_path / "one", base)) == 1
