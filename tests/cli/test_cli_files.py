"""No output of a command is one of its inputs or another output, whatever the files are called."""

import argparse
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import hushbit.cli
from cli_runner import assert_no_traceback, command, commands_of
from hushbit.cli._shared.arguments import CommandParser
from hushbit.cli._shared.failure import CommandError
from hushbit.cli._shared.files import check_apart, identity_of, inside, names_files, of_embeddings, reads, writes

# Options with a value that names no file. Numbers and choices are told by their types.
NO_FILES = {
    "calibrate": {"unchanged", "support"},
    "corpus": {"column", "delimiter", "encoding", "keep", "mask", "scheduler"},
    "count": {"column", "by", "scheduler"},
    "discover": {"column", "false"},
    "embed": {"column"},
    "estimate": {"column", "delimiter", "encoding"},
    "evaluate": {"mechanisms", "epsilons", "word_epsilons", "text_column", "label_column", "skip"},
    "export": {"exclude_pattern", "binarizer", "set", "grade", "strip_prefix"},
    "hashing cost": {"column", "ngrams"},
    "hashing evaluate": {"column", "label_column"},
    "neighbors": {"word"},
    "privatize": {"mask"},
    "sample": {"words"},
}
NUMBERS = {"int", "float", "positive", "natural", "epsilon", "share", "threads", "exponent", "_cost", "_count"}
VECTORS = b"a 1 2\nb 3 4\nc -1 2\nd 0 -3\n"


COMMANDS = dict(commands_of(hushbit.cli._parser()))


# ---- Every option of every command


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_that_can_name_a_file_is_guarded(name: str) -> None:
    parser = COMMANDS[name]
    assert isinstance(parser, CommandParser)
    for action in parser._actions:
        takes_value = action.nargs != 0
        number = getattr(action.type, "__name__", "") in NUMBERS
        if takes_value and action.choices is None and not number and action.dest not in NO_FILES.get(name, ()):
            assert names_files(action), f"{name}: say with reads() or writes() what {action.dest} does to its file"


def test_the_walk_sees_all_commands_and_an_option_without_a_guard() -> None:
    assert {"export", "budget reset", "hashing privatize", "key", "privacy"} <= set(COMMANDS)
    assert len(COMMANDS) >= 19
    guarded = {
        (name, action.dest) for name, parser in COMMANDS.items() for action in parser._actions if names_files(action)
    }
    assert {("export", "encoder_from"), ("hashing cost", "plot"), ("privatize", "audit_log")} <= guarded
    assert not names_files(CommandParser().add_argument("--log", metavar="FILE"))


# ---- The commands of the report, and each way to name a file twice


@pytest.fixture
def folder(vectors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("b.hushbit").write_bytes((vectors / "words-256.hushbit").read_bytes())
    Path("e.txt").write_bytes(VECTORS)
    Path("t.txt").write_bytes(b"cat\n")
    Path("device.key").write_bytes(bytes(32))
    np.save("v.npy", np.zeros((1, 2)))
    Path("v.txt").write_bytes(b"cat\n")
    Path("link.txt").symlink_to("t.txt")
    Path("dangling.txt").symlink_to("new.txt")
    Path("hard.txt").hardlink_to("t.txt")
    Path("sub").mkdir()
    for file in ("results.json", "report.html", "time.svg"):
        Path("sub", file).write_bytes(b"mine")
    return tmp_path


def contents(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


@pytest.mark.parametrize(
    "line",
    [
        "export --embeddings e.txt -o e.txt",
        "export --embeddings ./sub/../e.txt -o e.txt",
        "export --embeddings e.txt --encoder e.txt -o new",
        "export --embeddings e.txt --encoder new -o new",
        "export --embeddings e.txt --encoder New -o new",
        "export --embeddings e.txt --encoder new.txt -o dangling.txt",
        "export --embeddings e.txt --exclude-words t.txt -o hard.txt",
        "export --embeddings e.txt --encoder-from t.txt -o link.txt",
        "export --embeddings v.npy -o v.txt",
        "encode --encoder t.txt --embeddings e.txt -o e.npy",
        "encode --encoder t.txt --embeddings e.txt -o t.npy",
        "encode --encoder v.npy --embeddings e.txt -o v.npy",
        "privatize b.hushbit t.txt --audit-log b.hushbit",
        "privatize b.hushbit t.txt --audit-log t.txt",
        "privatize b.hushbit t.txt --audit-log link.txt",
        "privatize b.hushbit hard.txt --audit-log t.txt",
        "privatize b.hushbit t.txt --budget t.txt",
        "privatize b.hushbit t.txt --budget b.hushbit",
        "privatize b.hushbit t.txt --budget new --audit-log new",
        "privatize b.hushbit t.txt --budget new --audit-log new.lock",
        "privatize b.hushbit t.txt --memoize device.key --audit-log device.key",
        "privatize b.hushbit t.txt --memoize device.key --budget device.key",
        "privacy b.hushbit --html b.hushbit",
        "privacy b.hushbit --word-list t.txt --html link.txt",
        "compare b.hushbit --embeddings e.txt --html e.txt",
        "quality b.hushbit --embeddings e.txt --plot b.hushbit",
        "quality b.hushbit --embeddings e.txt --similarity . --plot t.txt",
        "evaluate t.txt --bundle sub/results.json --embeddings e.txt -o sub",
        "evaluate sub/report.html --bundle b.hushbit --embeddings e.txt -o sub",
        "evaluate t.txt --bundle b.hushbit --embeddings sub/time.svg -o sub",
        "hashing privatize t.txt -o hard.txt",
        "hashing privatize t.txt -o new --plot link.txt",
        "hashing privatize t.txt -o new.png --plot new.png",
        "hashing cost t.txt --plot t.txt",
        "hashing cost t.txt --corpus e.txt --plot e.txt",
        "hashing cost t.txt --term-features e.txt --plot e.txt",
    ],
)
def test_an_output_is_no_other_file(line: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = contents(folder)
    assert hushbit.cli.main(line.split()) == 2
    err = capfd.readouterr().err
    assert "the same file: write to another" in err or "are one file: write to different files" in err
    assert contents(folder) == before


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ('"$@" privatize b.hushbit t.txt >> t.txt', "standard output would overwrite FILE t.txt"),
        ('"$@" privatize b.hushbit < t.txt >> hard.txt', "standard output would overwrite standard input"),
        ('"$@" privatize b.hushbit - < t.txt >> b.hushbit', "standard output would overwrite BUNDLE b.hushbit"),
        ('"$@" privatize b.hushbit /dev/stdin < t.txt >> t.txt', "standard output would overwrite FILE /dev/stdin"),
        ('"$@" privatize b.hushbit t.txt --audit-log new >> new', "--audit-log new and standard output are one file"),
        ('"$@" inspect b.hushbit 2>> b.hushbit; cat b.hushbit', "standard error would overwrite BUNDLE b.hushbit"),
    ],
)
def test_streams_count_where_they_go_to_files(script: str, said: str, folder: Path) -> None:
    done = subprocess.run(["bash", "-c", script, "bash", *command()], capture_output=True, check=False, timeout=60)
    assert_no_traceback(done.stderr)
    assert said in (done.stdout + done.stderr).decode(errors="replace")
    assert Path("t.txt").read_bytes() == b"cat\n"


def test_what_is_no_conflict(folder: Path) -> None:
    """One file for stdout and stderr, one input twice, devices and pipes, a stdin that is not read."""
    for script in (
        '"$@" privatize b.hushbit t.txt > log 2>&1',
        '"$@" privatize b.hushbit t.txt --audit-log /dev/null > /dev/null',
        '"$@" privatize b.hushbit t.txt --budget a --audit-log b > c 2> d',
        '"$@" inspect b.hushbit < t.txt >> t.txt',
        'cat t.txt | "$@" privatize b.hushbit - | cat',
        '"$@" privatize b.hushbit <(cat t.txt)',
    ):
        done = subprocess.run(["bash", "-c", script, "bash", *command()], capture_output=True, check=False, timeout=60)
        assert done.returncode == 0, (script, done.stderr)


# ---- The parts


def test_what_a_file_is_known_by(folder: Path) -> None:
    assert identity_of(Path("t.txt")) == identity_of(Path("link.txt")) == identity_of(Path("sub/../hard.txt"))
    assert identity_of(Path("t.txt")) != identity_of(Path("e.txt"))
    assert identity_of(Path("new.txt")) == identity_of(Path("dangling.txt")) == identity_of(folder / "NEW.txt")
    assert identity_of(Path("caf\u00e9")) == identity_of(Path("cafe\u0301")) != identity_of(Path("cafe"))
    assert identity_of(Path("new")) != identity_of(Path("sub/new"))
    for nothing in ("/dev/null", ".", "no/such/folder", "a\0b"):
        assert identity_of(Path(nothing)) is None


def test_what_embeddings_are_read_from(folder: Path) -> None:
    import zipfile

    with zipfile.ZipFile("z.zip", "w") as archive:
        archive.writestr("deep/e.txt", VECTORS)
    assert of_embeddings("z.zip/deep/e.txt") == [Path("z.zip")]
    assert of_embeddings("e.txt") == [Path("e.txt")]
    assert of_embeddings("v.npy") == [Path("v.npy"), Path("v.txt"), Path("v.json")]
    assert of_embeddings("glove-6b-50d") == of_embeddings("") == of_embeddings("missing") == []
    assert Path("sub/time.svg") in inside("*/*.svg")(".")


def test_case_folding_file_systems_are_told_by_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have one inode, whatever the names, where a.txt can be opened as A.TXT."""
    (tmp_path / "a.txt").touch()
    stat = os.stat
    real = Path.stat
    monkeypatch.setattr(Path, "stat", lambda path, **options: real(Path(str(path).lower()), **options))
    assert stat(tmp_path / "a.txt").st_ino in (identity_of(tmp_path / "A.TXT") or ())
    monkeypatch.undo()

    parser = CommandParser()
    one = reads(parser.add_argument("--one", type=Path))
    two = writes(parser.add_argument("--two", type=Path))
    same = argparse.Namespace(one=tmp_path / "a.txt", two=tmp_path / "a.txt")
    with pytest.raises(CommandError, match=r"--two .*a\.txt would overwrite --one"):
        check_apart([one, two], same)
    check_apart([one], same)
