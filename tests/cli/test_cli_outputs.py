"""A command replaces files of its own kind, and nothing that somebody else wrote."""

from pathlib import Path

import numpy as np
import pytest

import hushbit
import hushbit.cli
from cli_runner import assert_no_traceback
from hushbit.cli._shared import kinds
from hushbit.cli._shared.failure import CommandError
from hushbit.cli._shared.files import kind_of_output, names_files, writes_files
from hushbit.cli._shared.kinds import Kind, check_replaceable
from test_cli_files import COMMANDS, VECTORS

PRECIOUS = b"precious notes"
# What these write they see to themselves: a key is never replaced, mixed releases go to a new file of their folder, and
# the core refuses what is no ledger.
OWN_CHECKS = {"key": {"file"}, "shuffle": {"output"}}


@pytest.fixture
def folder(vectors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("b.hushbit").write_bytes((vectors / "words-256.hushbit").read_bytes())
    Path("e.txt").write_bytes(VECTORS)
    Path("t.csv").write_bytes(b"text\ncat\n")
    np.savez("m.npz", range=np.array(8), hashes=np.arange(3), weights=np.ones((3, 1)))
    Path("sub").mkdir()
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_every_output_has_a_kind(name: str) -> None:
    for action in COMMANDS[name]._actions:
        if names_files(action) and writes_files(action) and action.dest not in {"budget", *OWN_CHECKS.get(name, ())}:
            assert kind_of_output(action), f"{name}: say with writes(…, kind=…) what {action.dest} may replace"


@pytest.mark.parametrize(
    ("line", "file"),
    [
        ("export --embeddings e.txt -o notes", "notes"),
        ("export --embeddings e.txt --encoder notes -o new.hushbit", "notes"),
        ("encode --encoder e.txt --embeddings e.txt -o notes.npy", "notes.npy"),
        ("encode --encoder e.txt --embeddings e.txt -o notes.npy", "notes.txt"),
        ("privatize b.hushbit e.txt --audit-log notes", "notes"),
        ("corpus t.csv --column text -o out", "out.manifest"),
        ("estimate t.csv --column text -o notes", "notes"),
        ("budget reset notes", "notes"),
        ("privacy b.hushbit --html notes", "notes"),
        ("privacy b.hushbit --per-word notes", "notes"),
        ("compare b.hushbit --embeddings e.txt --html notes", "notes"),
        ("quality b.hushbit --embeddings e.txt --plot notes", "notes"),
        ("evaluate t.csv --bundle b.hushbit --embeddings e.txt -o sub", "sub/results.json"),
        ("evaluate t.csv --bundle b.hushbit --embeddings e.txt -o sub", "sub/report.html"),
        ("hashing privatize m.npz -o notes", "notes"),
        ("hashing privatize m.npz -o new.npz --plot notes.png", "notes.png"),
        ("hashing cost m.npz --plot notes.png", "notes.png"),
        ("key notes", "notes"),
    ],
)
def test_what_somebody_wrote_is_left_as_it_is(
    line: str, file: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    Path(file).write_bytes(PRECIOUS)
    before = sorted(folder.rglob("*"))
    code = hushbit.cli.main(line.split())
    said = capfd.readouterr().err
    assert code == (1 if line.startswith("key") else 2), said
    assert "is there already" in said
    assert file in said
    assert_no_traceback(said.encode())
    assert Path(file).read_bytes() == PRECIOUS
    assert sorted(folder.rglob("*")) == before


def test_a_ledger_that_is_not_there_is_not_made(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert hushbit.cli.main(["budget", "reset", "mistyped"]) == 3
    assert "there is no ledger mistyped" in capfd.readouterr().err
    assert not Path("mistyped").exists()


def test_a_ledger_is_reset_damaged_or_not(folder: Path) -> None:
    hushbit.Budget("sent").spend(5, 1)
    whole = Path("sent").read_bytes()
    for content in (whole, whole[:20], whole[:5], b"", whole[:30] + b"\xff" + whole[31:]):
        Path("sent").write_bytes(content)
        assert hushbit.cli.main(["budget", "reset", "sent"]) == 0
        assert hushbit.Budget.read("sent").worst_case_lifetime == 0


def test_a_file_of_the_own_kind_is_replaced(folder: Path) -> None:
    line = ["export", "--embeddings", "e.txt", "--bits", "64", "--output-words", "all", "--mechanism", "brr", "-o", "n"]
    assert hushbit.cli.main(line) == 0
    first = Path("n").read_bytes()
    assert first.startswith(kinds.BUNDLE.beginnings)
    Path("n").write_bytes(first[:100])  # a damaged one, too
    assert hushbit.cli.main(line) == 0
    assert Path("n").read_bytes() == first
    assert hushbit.cli.main(["privatize", "b.hushbit", "e.txt", "--audit-log", "log"]) == 0
    assert hushbit.cli.main(["privatize", "b.hushbit", "e.txt", "--audit-log", "log"]) == 0
    assert Path("log").read_bytes().startswith(kinds.AUDIT_LOG.beginnings)


@pytest.mark.parametrize(
    ("content", "refused"), [(None, False), (b"", False), (b"%PD", False), (b"%PDF-1.7", False), (b"%pdf", True)]
)
def test_kinds_are_told_by_first_bytes(content: bytes | None, refused: bool, tmp_path: Path) -> None:
    path = tmp_path / "file.pdf"
    if content is not None:
        path.write_bytes(content)
    if refused:
        with pytest.raises(CommandError, match="is not a picture"):
            check_replaceable("--plot", path, kinds.PICTURE)
    else:
        check_replaceable("--plot", path, kinds.PICTURE)
    check_replaceable("--plot", path, Kind("an array", (b"A",), ".npy"))  # another suffix
    check_replaceable("--plot", tmp_path, kinds.PICTURE)
    check_replaceable("--plot", Path("/dev/null"), kinds.PICTURE)
