"""The `hushbit` command: what it prints, how it fails, with which exit code."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import hushbit
import hushbit.cli
from cli_runner import CANARY, SURE, assert_no_canary, assert_no_traceback, run
from reference.bundle_maker import make_bundle

COMMANDS = ("export", "privatize", "inspect", "verify", "neighbors")


@pytest.fixture(scope="module")
def path(vectors: Path) -> Path:
    return vectors / "words-256.hushbit"


class Here:
    """Runs the command in this process, which is faster."""

    def __init__(self, directory: Path, capture: pytest.CaptureFixture[bytes]) -> None:
        self.text_file = directory / "typed.txt"
        self._capture = capture

    def __call__(self, *arguments: str | Path) -> tuple[int, bytes, bytes]:
        code = hushbit.cli.main([str(argument) for argument in arguments])
        out, err = self._capture.readouterr()
        assert_no_traceback(err)
        return code, out, err

    def privatize(self, path: Path, *options: str, typed: bytes) -> tuple[int, bytes, bytes]:
        """Privatizes what was typed, from a file."""
        self.text_file.write_bytes(typed)
        return self("privatize", path, self.text_file, *options)


@pytest.fixture
def here(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Here:
    return Here(tmp_path, capfdbinary)


@pytest.fixture
def text_file(tmp_path: Path) -> Path:
    file = tmp_path / "text.txt"
    file.write_text("the cat\nmusic\n", encoding="utf-8")
    return file


# ---- Help


def test_version() -> None:
    done = run("--version")
    assert done.returncode == 0
    assert done.stdout.decode().startswith(f"hushbit {hushbit.__version__}, Unicode ")
    assert done.stderr == b""


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_examples(name: str, here: Here) -> None:
    code, out, err = here(name, "--help")
    assert (code, err) == (0, b"")
    assert f"examples:\n  hushbit {name} ".encode() in out


def test_help_lists_the_commands(here: Here) -> None:
    code, out, _ = here("--help")
    assert code == 0
    assert all(f"\n    {name}".encode() in out for name in COMMANDS)
    assert b"exit codes:" in out


# ---- privatize


def test_privatize_reads_stdin_by_default(path: Path) -> None:
    for arguments in ([], ["-"]):
        done = run("privatize", path, "--epsilon", SURE, *arguments, stdin=b"the cat\nmusic\n")
        assert (done.returncode, done.stdout) == (0, b"the cat\nmusic\n")
        assert b"lines released 2, words 3" in done.stderr


@pytest.mark.parametrize(
    ("typed", "released"),
    [
        (b"", b""),
        (b"\n", b"\n"),
        (b"cat", b"cat\n"),
        (b"cat\r\nmusic\r\n", b"cat\nmusic\n"),
        (b"\n\ncat\n\n", b"\n\ncat\n\n"),
        (b"\xef\xbb\xbfcat\n", b"cat\n"),  # a byte order mark
        ("cat\u2028music\x0bcat\n".encode(), b"cat music cat\n"),  # other line ends are white space
        (b"cat\0music\n", b"cat music\n"),
        (b"The CAT, Music!\n", b"the cat music\n"),
    ],
)
def test_a_line_for_a_line(path: Path, here: Here, typed: bytes, released: bytes) -> None:
    assert here.privatize(path, "--epsilon", SURE, typed=typed)[:2] == (0, released)


def test_options_may_stand_anywhere(path: Path, text_file: Path, here: Here) -> None:
    for arguments in (
        f"{path} {text_file} --epsilon {SURE}",
        f"{path} --epsilon {SURE} {text_file}",
        f"--epsilon {SURE} {path} {text_file}",
        f"{path} --epsilon={SURE} --threads 1 -- {text_file}",
    ):
        assert here("privatize", *arguments.split())[:2] == (0, b"the cat\nmusic\n")


def test_json_is_what_the_interface_says(path: Path, here: Here) -> None:
    text = "The 😀 cat, qzx-99"
    _, out, err = here.privatize(path, "--epsilon", SURE, "--oov", "mask", "--json", typed=f"{text}\n\n".encode())
    first, second = (json.loads(line) for line in out.decode().splitlines())
    released = hushbit.open(path).privatizer(epsilon=float(SURE), oov="mask").privatize(text)
    assert first == {
        "text": released.text,
        "tokens": [{name: getattr(token, name) for name in token.__slots__} for token in released.tokens],
        "cost": {name: getattr(released.cost, name) for name in released.cost.__slots__},
    }
    assert (second["text"], second["tokens"], second["cost"]["average"]) == ("", [], 0)
    assert err == b""


def test_epsilon_is_never_said_alone(path: Path, here: Here) -> None:
    info = hushbit.open(path).privatizer(epsilon=0.5).info
    said = here.privatize(path, "--epsilon", "0.5", typed=b"the cat\nmusic\n")[2].decode()
    assert "epsilon 0.5 per differing bit" in said
    assert f"adds up to {3 * info.average_per_token:.6g} on average and {3 * info.worst_case_per_token:.6g}" in said


def test_the_default_epsilon_is_said(path: Path, here: Here) -> None:
    info = hushbit.open(path).privatizer().info
    for options in ([], ["--json"]):
        said = here.privatize(path, *options, typed=b"cat\n")[2].decode()
        terms = f"{info.average_per_token:.6g} per token on average, {info.worst_case_per_token:.6g} at worst"
        assert f"bundle's default: {info.effective_epsilon:.6g} per differing bit, {terms}" in said


def test_a_clamped_epsilon_is_said(path: Path, here: Here) -> None:
    code, _, err = here.privatize(path, "--epsilon", "1e9", "--json", typed=b"cat\n")
    assert code == 0
    assert b"what holds is 44.3614 per differing bit" in err


def test_verbatim_warns_loudly_and_costs_infinitely_much(path: Path, here: Here) -> None:
    options = ("--epsilon", SURE, "--oov", "verbatim-unsafe")
    _, out, err = here.privatize(path, *options, typed=b"cat Qzx\n")
    assert out == b"cat Qzx\n"
    assert b"WARNING" in err
    assert b"NOT private" in err
    assert b"inf at worst" in err
    _, out, err = here.privatize(path, *options, "--json", typed=b"cat Qzx\n")
    assert b"WARNING" in err
    cost = json.loads(out, parse_constant=pytest.fail)["cost"]
    assert (cost["average"], cost["worst_case"], cost["verbatim"]) == ("Infinity", "Infinity", 1)


@pytest.mark.parametrize(
    ("options", "released"),
    [
        (["--oov", "drop"], "cat music\n"),
        (["--oov", "mask"], "cat [unk] music\n"),
        (["--oov", "mask", "--mask", "<é>"], "cat <é> music\n"),
        (["--oov", "drop", "--punctuation", "privatize"], "cat , music\n"),
    ],
)
def test_policies(path: Path, here: Here, options: list[str], released: str) -> None:
    assert here.privatize(path, "--epsilon", SURE, *options, typed=b"cat, Qzx music\n")[1].decode() == released


def test_a_word_with_a_newline_stays_on_its_line(tmp_path: Path, here: Here) -> None:
    odd = tmp_path / "odd.hushbit"
    odd.write_bytes(make_bundle({"a\nb": bytes(8)}))
    assert here.privatize(odd, typed=b"cat\ncat\n")[1] == b"a b\na b\n"


# ---- inspect, verify, neighbors


def test_inspect(path: Path, here: Here) -> None:
    bundle = hushbit.open(path)
    info, privacy = bundle.info, bundle.privatizer().info
    code, out, _ = here("inspect", path)
    assert code == 0
    for expected in (
        info.hash,
        f"{info.file_bytes:,} bytes",
        "710",
        "256 bits",
        f"P_avg {info.average_distance:.4f}, P_max {info.max_distance}",
        f"{privacy.average_per_token:.6g} per token on average",
        f"{privacy.worst_case_per_token:.6g} per token at worst",
        "made for tests",
        *(section.sha256 for section in info.sections),
    ):
        assert expected in out.decode()


def test_inspect_json(path: Path, here: Here) -> None:
    bundle = hushbit.open(path)
    document = json.loads(here("inspect", path, "--json")[1])
    assert document["info"]["hash"] == bundle.info.hash
    assert document["meta"] == bundle.meta
    sections = document["sections"]
    assert [section["name"] for section in sections] == ["meta", "words", "codes", "clusters", "order", "mih"]
    assert sections[2]["bytes_per_word"] == round(2 * 512 * 32 / 710, 3)
    assert sections[5]["used"].endswith("40 or fewer of 256 bits flipped")
    assert document["info"]["mih_flips"] == 40
    assert document["default_privacy"]["average_per_token"] == bundle.privatizer().info.average_per_token


def test_verify(path: Path, here: Here) -> None:
    assert here("verify", path)[:2] == (0, f"ok {hushbit.open(path).info.hash}\n".encode())


def test_verify_tells_malformed_from_mismatch(path: Path, tmp_path: Path, here: Here) -> None:
    damaged = tmp_path / "damaged.hushbit"
    data = path.read_bytes()
    damaged.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    code, _, err = here("verify", damaged)
    assert code == 5
    assert str(damaged).encode() in err
    damaged.write_bytes(data[:10] + bytes([data[10] ^ 1]) + data[11:])
    assert here("verify", damaged)[0] == 4


def test_a_description_that_is_no_json(path: Path, tmp_path: Path, here: Here) -> None:
    data = path.read_bytes()
    damaged = tmp_path / "damaged.hushbit"
    damaged.write_bytes(data.replace(b'{"source"', b'["source"'))
    code, _, err = here("inspect", damaged)
    assert code == 4
    assert b"not a JSON object" in err
    assert here.privatize(damaged, "--epsilon", SURE, typed=b"cat\n")[:2] == (0, b"cat\n")  # which needs none


def test_neighbors(path: Path, here: Here) -> None:
    expected = hushbit.open(path).neighbors("cat", 3)
    rows = "".join(f"{near.distance}\t{near.word}\n" for near in expected)
    assert here("neighbors", path, "cat", "-k", "3")[:2] == (0, rows.encode())
    document = json.loads(here("neighbors", path, "-k", "3", "--json", "cat")[1])
    assert document["word"] == "cat"
    assert document["neighbors"] == [{"word": near.word, "distance": near.distance} for near in expected]
    assert len(here("neighbors", path, "cat", "-k", "100000")[1].splitlines()) == 710


# ---- Failures


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ("", 2, "required: COMMAND"),
        ("frobnicate", 2, "invalid choice"),
        ("--frobnicate", 2, "required: COMMAND"),
        ("privatize", 2, "required: BUNDLE"),
        ("privatize BUNDLE --epsilon -1 TEXT", 2, "'-1' is not a finite number, 0 or more"),
        ("privatize BUNDLE --epsilon nan TEXT", 2, "'nan' is not a finite number, 0 or more"),
        ("privatize BUNDLE --epsilon inf TEXT", 2, "'inf' is not a finite number, 0 or more"),
        ("privatize BUNDLE --epsilon 1e999 TEXT", 2, "'1e999' is not a finite number, 0 or more"),
        ("privatize BUNDLE --epsilon many TEXT", 2, "'many' is not a finite number, 0 or more"),
        ("privatize BUNDLE --epsilon", 2, "expected one argument"),
        ("privatize BUNDLE --oov verbatim TEXT", 2, "invalid choice"),
        ("privatize BUNDLE --punctuation keep TEXT", 2, "invalid choice"),
        ("privatize BUNDLE --threads 0 TEXT", 2, "'0' is not a whole number, 1 or more"),
        ("privatize BUNDLE --threads 1.5 TEXT", 2, "'1.5' is not a whole number, 1 or more"),
        ("privatize BUNDLE --mask x TEXT", 2, "only used with --oov mask"),
        ("privatize BUNDLE --oov mask --mask= TEXT", 2, "1 to 64 bytes"),
        (f"privatize BUNDLE --oov mask --mask {'x' * 65} TEXT", 2, "1 to 64 bytes"),
        ("privatize BUNDLE --oov mask --mask a\nb TEXT", 2, "printable"),
        ("privatize BUNDLE --eps 1 TEXT", 2, "unknown option: --eps"),
        (f"privatize BUNDLE TEXT {CANARY}", 2, "too many arguments"),
        ("privatize BUNDLE MISSING", 3, "No such file or directory"),
        ("privatize BUNDLE DIRECTORY", 1, "Is a directory"),
        ("privatize MISSING TEXT", 3, "No such file or directory"),
        ("privatize DIRECTORY TEXT", 1, "Is a directory"),
        ("privatize EMPTY TEXT", 4, "EMPTY"),
        ("privatize TRUNCATED TEXT", 4, "TRUNCATED"),
        ("privatize TEXT TEXT", 4, "no Hushbit bundle"),
        ("inspect", 2, "name a bundle, or --cpu"),
        ("inspect MISSING", 3, "No such file or directory"),
        ("inspect DIRECTORY", 1, "Is a directory"),
        ("inspect EMPTY", 4, "EMPTY"),
        ("inspect BUNDLE --yaml", 2, "unknown option: --yaml"),
        ("verify MISSING", 3, "No such file or directory"),
        ("verify TRUNCATED", 4, "TRUNCATED"),
        ("verify NEWER", 1, "NEWER"),
        ("neighbors BUNDLE", 2, "required: WORD"),
        ("neighbors BUNDLE Cat", 1, "'Cat' is not in the vocabulary"),
        ("neighbors BUNDLE cat -k 0", 2, "'0' is not a whole number, 1 or more"),
        ("neighbors BUNDLE cat -k ten", 2, "'ten' is not a whole number, 1 or more"),
        ("neighbors MISSING cat", 3, "No such file or directory"),
    ],
)
def test_failures(arguments: str, code: int, message: str, path: Path, tmp_path: Path, here: Here) -> None:
    names = {name: str(tmp_path / name) for name in ("TEXT", "MISSING", "EMPTY", "TRUNCATED", "NEWER")}
    names |= {"BUNDLE": str(path), "DIRECTORY": str(tmp_path)}
    Path(names["TEXT"]).write_text("the cat\n" * 20, encoding="utf-8")
    Path(names["EMPTY"]).touch()
    Path(names["TRUNCATED"]).write_bytes(path.read_bytes()[:-1])
    Path(names["NEWER"]).write_bytes(newer(path.read_bytes()))
    got, out, err = here(*[names.get(word, word) for word in arguments.split(" ") if word])
    assert (got, out) == (code, b"")
    assert message in err.decode()
    assert_no_canary(err)


def newer(data: bytes) -> bytes:
    """The bundle as version 2.0 of the format, with a checksum that fits."""
    import zlib

    header = data[:12] + (2).to_bytes(2, "little") + data[14:124]
    return header + zlib.crc32(header).to_bytes(4, "little") + data[128:]


def test_an_unreadable_text_is_said(path: Path, tmp_path: Path) -> None:
    unreadable = tmp_path / "text.txt"
    unreadable.touch(mode=0)
    if os.geteuid() == 0:  # who may read everything but this
        unreadable = Path("/proc/self/mem")
    done = run("privatize", path, unreadable)
    assert done.returncode == 1
    assert str(unreadable).encode() in done.stderr


@pytest.mark.parametrize(
    ("typed", "line", "byte"),
    [
        (f"cat\nthe caf\xe9 {CANARY}\n".encode("latin-1"), 2, 7),
        (b"\xff\xfec\0a\0t\0", 1, 0),  # UTF-16
        (b"cat \xed\xa0\x80", 1, 4),  # a surrogate
        (b"\n\ncat \xf0\x9f\x98\n", 3, 4),  # cut short
        (b"cat\n" * 1000 + b"\xc0\x80", 1001, 0),  # overlong
    ],
)
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_invalid_utf8_is_placed(path: Path, here: Here, typed: bytes, line: int, byte: int, options: list[str]) -> None:
    code, out, err = here.privatize(path, "--epsilon", SURE, *options, typed=typed)
    assert code == 1
    assert f"{here.text_file}, line {line}, byte {byte}: the text is not UTF-8".encode() in err
    assert out.count(b"\n") == line - 1  # every line before it came out
    assert_no_canary(out, err)


def test_a_refused_word_is_placed(path: Path, here: Here) -> None:
    typed = f"cat\ncafé {CANARY}\ncat\n".encode()
    code, out, err = here.privatize(path, "--oov", "error", "--epsilon", SURE, typed=typed)
    assert (code, out) == (1, b"cat\n")
    assert f"{here.text_file}, line 2, byte 6: a token is not in the vocabulary".encode() in err
    assert b"lines released 1, words 1" in err  # what went out has its cost said
    assert_no_canary(err)


def test_stdin_is_called_so(path: Path) -> None:
    done = run("privatize", path, "--epsilon", SURE, stdin=b"\xff")
    assert done.returncode == 1
    assert b"error: standard input, line 1, byte 0: " in done.stderr


@pytest.mark.parametrize(
    "options", [["--oov", "random"], ["--oov", "drop"], ["--oov", "mask"], ["--punctuation", "privatize"], ["--json"]]
)
def test_nothing_typed_leaks(path: Path, here: Here, options: list[str]) -> None:
    typed = f"{CANARY} {CANARY.lower()}, {CANARY.upper()}'s\ncat-{CANARY}\n".encode() * 20
    code, out, err = here.privatize(path, *options, typed=typed)
    assert code == 0
    assert_no_canary(out, err)


def test_privatize_does_not_import_what_it_does_not_need(path: Path) -> None:
    program = "import sys, hushbit.cli; hushbit.cli.main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    line = [sys.executable, "-c", program, "privatize", str(path), "--epsilon", "3", __file__]
    modules = set(subprocess.run(line, capture_output=True, check=True, text=True).stderr.split())
    assert "hushbit.cli._lines" in modules
    assert not modules & {"numpy", "rich", "faiss", "torch"}
