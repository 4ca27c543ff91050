"""`hushbit shuffle`: nothing but releases passes, in uniform order, and nothing is lost or doubled."""

import gzip
import json
import os
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cli_runner import Here
from hushbit.analysis import shuffler
from hushbit.analysis.shuffler import shuffle
from hushbit.errors import InvalidArgumentError, NotFoundError

VALUES = "0123456789abcdef"


def report(number: int, epsilon: float = 2) -> str:
    return json.dumps({"report": number, "values": VALUES, "epsilon": epsilon, "version": 1})


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    source, output = tmp_path / "spool", tmp_path / "mixed"
    source.mkdir()
    output.mkdir()
    return source, output


def put(source: Path, name: str, *lines: str) -> None:
    (source / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def lines_in(folder: Path) -> Counter[str]:
    return Counter(line for path in folder.iterdir() if path.is_file() for line in path.read_text().splitlines())


def test_nothing_but_releases_passes(folders: tuple[Path, Path]) -> None:
    source, output = folders
    put(
        source,
        "a.jsonl",
        *map(report, range(50)),
        '{"epsilon":2.0, "version":1,"report":50, "values":"' + VALUES + '"}',
    )
    put(source, "b.jsonl", '{"index": 7, "epsilon": 1.5}', "12", "no release", '{"index": 7, "epsilon": 1.5, "at": 3}')
    more = report(1)[:-1]
    put(source, "c.jsonl", more + ', "name": "x"}', report(1).replace(VALUES, "x" * 16), more + ', "report": 2}', "[1]")
    put(source, ".incomplete", report(99))
    mixed = shuffle(source, output, 51)
    assert mixed.released == 51
    assert sum(mixed.refused.values()) == 6
    assert mixed.waiting == {"epsilon 1.5": 1, "numbers": 1}
    assert mixed.output is not None
    assert lines_in(output) == Counter(map(report, range(51)))
    assert mixed.output.stat().st_mtime == 0
    assert lines_in(source) == Counter(['{"index": 7, "epsilon": 1.5}', "12", report(99)])
    assert len(list(source.iterdir())) == 2


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (report(1).replace('"version": 1', '"version": 491555012345678'), "of another version"),
        (report(491555012345678), "with more than a release"),
        ('{"index": 4915550123, "epsilon": 2}', "with more than a release"),
        ("491555012345678", "with more than a release"),
        (report(1).replace(": 2,", f": {10**400},"), "with more than a release"),
    ],
)
def test_no_field_has_room_for_an_identifier(folders: tuple[Path, Path], line: str, reason: str) -> None:
    source, output = folders
    put(source, "a.jsonl", report(1), line)
    mixed = shuffle(source, output, 1)
    assert mixed.refused == {reason: 1}
    assert lines_in(output) == Counter([report(1)])


def test_a_file_that_cannot_be_unpacked_stops_no_other(folders: tuple[Path, Path]) -> None:
    source, output = folders
    put(source, "a.jsonl", *map(report, range(3)))
    packed = gzip.compress(b"".join(f"{report(number)}\n".encode() for number in range(3, 4000)))
    (source / "cut.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    (source / "no.jsonl.gz").write_bytes(b"\x1f\x8b\x08 no gzip")
    mixed = shuffle(source, output, 3)
    assert mixed.refused["in a file that cannot be unpacked"] == 2
    assert mixed.released == lines_in(output).total() >= 3
    assert not list(source.iterdir())


def test_it_waits(folders: tuple[Path, Path]) -> None:
    source, output = folders
    put(source, "a.jsonl", *map(report, range(5)), "no release")
    mixed = shuffle(source, output, 6)
    assert (mixed.released, mixed.output, mixed.refused) == (0, None, Counter())
    assert lines_in(source).total() == 6
    put(source, "b.jsonl", report(5))
    assert shuffle(source, output, 6).released == 6
    assert not list(source.iterdir())


def test_every_order_is_as_likely(folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """The 24 orders of four lines, 1,200 runs, over several parts: chi-square below 60, a false alarm below 1e-4."""
    monkeypatch.setattr(shuffler, "_PART_BYTES", 700)
    monkeypatch.setattr(shuffler, "sync_folder", lambda _: None)
    monkeypatch.setattr(os, "fsync", lambda _: None)
    source, output = folders
    orders: Counter[str] = Counter()
    for _ in range(1200):
        put(source, "a.jsonl", *map(report, range(4)))
        mixed = shuffle(source, output, 4)
        assert mixed.output is not None
        orders[" ".join(str(json.loads(line)["report"]) for line in mixed.output.read_text().splitlines())] += 1
        mixed.output.unlink()
    assert len(orders) == 24
    assert sum((count - 50) ** 2 / 50 for count in orders.values()) < 60


class KilledError(BaseException):
    """The end of the process."""


def test_killed_at_any_step_nothing_is_lost_or_doubled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process ends before each change of the file system in turn, and again in the run after it."""
    steps = 0
    while True:
        source, output = tmp_path / f"spool{steps}", tmp_path / f"mixed{steps}"
        source.mkdir()
        output.mkdir()
        put(source, "a.jsonl", *map(report, range(4)), "5")
        put(source, "b.jsonl", *map(report, range(4, 9)))
        killed = 0
        for at in (steps, 2):
            with monkeypatch.context() as patched:
                kill_before(patched, at)
                try:
                    shuffle(source, output, 9)
                except KilledError:
                    killed += 1
        put(source, "c.jsonl", *map(report, range(20, 29)))
        shuffle(source, output, 9)
        expected = Counter(map(report, [*range(9), *range(20, 29)]))
        assert lines_in(output) == expected, steps
        assert lines_in(source) == Counter(["5"]), steps
        assert not any(path.is_dir() for path in source.iterdir())
        if not killed:
            break
        steps += 1
    assert steps > 10


def kill_before(patched: pytest.MonkeyPatch, step: int) -> None:
    """Ends the run before its change number `step`, from 0."""
    left = [step]

    def guarded(change: Any) -> Any:
        def changing(*arguments: Any, **options: Any) -> Any:
            left[0] -= 1
            if left[0] < 0:
                raise KilledError
            return change(*arguments, **options)

        return changing

    for owner, names in ((Path, ("mkdir", "rename", "replace", "unlink")), (shutil, ("rmtree",))):
        for name in names:
            patched.setattr(owner, name, guarded(getattr(owner, name)))
    patched.setattr(os, "fsync", guarded(os.fsync))


def test_folders(folders: tuple[Path, Path]) -> None:
    source, output = folders
    with pytest.raises(InvalidArgumentError, match="must be two"):
        shuffle(source, source, 1)
    with pytest.raises(NotFoundError, match="no such folder"):
        shuffle(source, output / "none", 1)


def test_the_command(folders: tuple[Path, Path], here: Here) -> None:
    source, output = folders
    put(source, "a.jsonl", *map(report, range(5)), "x")
    code, out, err = here("shuffle", source, output, "--least", "5", "--json")
    assert code == 0, err
    assert json.loads(out)["released"] == 5
    assert b"releases mixed 5" in err
    assert b"lines dropped, damaged: 1" in err
    assert lines_in(output).total() == 5
