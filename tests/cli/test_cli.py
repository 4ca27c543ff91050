"""The `hushbit` command: what it prints."""

import json
from pathlib import Path

import pytest

import hushbit
import hushbit.cli
from cli_runner import SURE, Here, run
from hushbit._plumbing.spelling import is_long_number
from hushbit.cli.groups import GROUPS
from reference.bundle_maker import make_bundle

COMMANDS = tuple(name for commands in GROUPS.values() for name in commands)


@pytest.fixture(scope="module")
def path(vectors: Path) -> Path:
    return vectors / "words-256.hushbit"


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
    assert all(f"\n  {name} ".encode() in out for name in COMMANDS)
    assert b"exit codes:" in out
    titles = [out.index(f"\n{title}: ".encode()) for title in ("use", "make", "judge")]
    first = [out.index(f"\n  {name} ".encode()) for name in ("embed", "report", "privatize", "export", "privacy")]
    assert [titles[0], *first[:3], titles[1], first[3], titles[2], first[4]] == sorted(titles + first)


# ---- privatize


def test_privatize_reads_stdin_by_default(path: Path) -> None:
    for arguments in ([], ["-"]):
        done = run("privatize", path, "--epsilon", SURE, "--allow-unchanged", *arguments, stdin=b"the cat\nmusic\n")
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
    assert here.privatize(path, "--epsilon", SURE, "--allow-unchanged", typed=typed)[:2] == (0, released)


def test_options_may_stand_anywhere(path: Path, text_file: Path, here: Here) -> None:
    for arguments in (
        f"{path} {text_file} --epsilon {SURE}",
        f"{path} --epsilon {SURE} {text_file}",
        f"--epsilon {SURE} {path} {text_file}",
        f"{path} --epsilon={SURE} --threads 1 -- {text_file}",
    ):
        assert here("privatize", "--allow-unchanged", *arguments.split())[:2] == (0, b"the cat\nmusic\n")


def test_json_is_what_the_interface_says(path: Path, here: Here) -> None:
    text = "The 😀 cat, qzx-99"
    _, out, err = here.privatize(
        path, "--epsilon", SURE, "--allow-unchanged", "--oov", "mask", "--json", typed=f"{text}\n\n".encode()
    )
    first, second = (json.loads(line) for line in out.decode().splitlines())
    released = hushbit.open(path).privatizer(epsilon=float(SURE), oov="mask", allow_unchanged=True).privatize(text)
    assert first == {
        "text": released.text,
        "tokens": [{name: getattr(token, name) for name in token.__slots__} for token in released.tokens],
        "cost": {name: getattr(released.cost, name) for name in released.cost.__slots__},
    }
    # Of the text as typed nothing but places and kinds, whatever records may come to hold.
    places = {"byte_begin", "byte_end", "utf16_begin", "utf16_end"}
    assert all(set(token) == {"kind", "replacement", *places} for token in first["tokens"])
    assert (second["text"], second["tokens"], second["cost"]["average"]) == ("", [], 0)
    assert err.startswith(b"hushbit: epsilon: ")
    assert err.count(b"\n") == 1


def test_what_a_token_costs_at_worst_is_always_said(path: Path, here: Here) -> None:
    info = hushbit.open(path).privatizer(epsilon=0.4).info
    for options in ([], ["--json"]):
        said = here.privatize(path, "--epsilon", "0.4", *options, typed=b"cat\n")[2].decode()
        assert f"{info.worst_case_per_token:.6g} at worst" in said.splitlines()[0]


def test_an_epsilon_that_leaves_the_text_is_refused(path: Path, here: Here) -> None:
    for mechanism in ("brr", "tem"):
        code, out, err = here.privatize(path, "--mechanism", mechanism, "--epsilon", "6", typed=b"cat\n")
        assert (code, out) == (2, b"")
        assert b"leaves more than about half of the words as they were typed" in err
        assert b"give --allow-unchanged if that is meant" in err


def test_epsilon_is_never_said_alone(path: Path, here: Here) -> None:
    info = hushbit.open(path).privatizer(epsilon=0.5, allow_unchanged=True).info
    said = here.privatize(path, "--epsilon", "0.5", "--allow-unchanged", typed=b"the cat\nmusic\n")[2].decode()
    assert "epsilon 0.5 per differing bit" in said
    assert f"adds up to {3 * info.average_per_token:.6g} on average and {3 * info.worst_case_per_token:.6g}" in said


def test_the_default_epsilon_is_said(path: Path, here: Here) -> None:
    info = hushbit.open(path).privatizer().info
    for options in ([], ["--json"]):
        said = here.privatize(path, *options, typed=b"cat\n")[2].decode()
        terms = f"{info.average_per_token:.6g} per token on average, {info.worst_case_per_token:.6g} at worst"
        assert f"bundle's default: {info.effective_epsilon:.6g} per differing bit, {terms}" in said


def test_a_clamped_epsilon_is_said(path: Path, here: Here) -> None:
    code, _, err = here.privatize(path, "--epsilon", "1e9", "--allow-unchanged", "--json", typed=b"cat\n")
    assert code == 0
    assert b"what holds is 44.3614 per differing bit" in err


def test_verbatim_warns_loudly_and_costs_infinitely_much(path: Path, here: Here) -> None:
    options = ("--epsilon", SURE, "--allow-unchanged", "--oov", "verbatim-unsafe")
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
    assert (
        here.privatize(path, "--epsilon", SURE, "--allow-unchanged", *options, typed=b"cat, Qzx music\n")[1].decode()
        == released
    )


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
        "749",
        "256 bits",
        f"P_avg {info.average_distance:.4f}, P_max {info.max_distance}",
        f"{privacy.average_per_token:.6g} per token on average",
        f"{privacy.worst_case_per_token:.6g} per token at worst",
        "made for tests",
        *(section.sha256 for section in info.sections),
    ):
        assert expected in out.decode()
    cells = [line.split() for line in here("inspect")[1].decode().splitlines()]
    assert all([section.name, section.sha256] in cells for section in hushbit.open().info.sections)


def test_inspect_json(path: Path, here: Here) -> None:
    bundle = hushbit.open(path)
    document = json.loads(here("inspect", path, "--json")[1])
    assert document["info"]["hash"] == bundle.info.hash
    assert document["meta"] == bundle.meta
    sections = document["sections"]
    assert [section["name"] for section in sections] == ["meta", "words", "codes", "clusters", "order", "mih"]
    assert sections[2]["bytes_per_word"] == round(2 * 512 * 32 / 749, 3)
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
    assert here.privatize(damaged, "--epsilon", SURE, "--allow-unchanged", typed=b"cat\n")[:2] == (
        0,
        b"cat\n",
    )  # which needs none


def test_neighbors(path: Path, here: Here) -> None:
    expected = hushbit.open(path).neighbors("cat", 3)
    rows = "".join(f"{near.distance}\t{near.word}\n" for near in expected)
    assert here("neighbors", path, "cat", "-k", "3")[:2] == (0, rows.encode())
    document = json.loads(here("neighbors", path, "-k", "3", "--json", "cat")[1])
    assert document["word"] == "cat"
    assert document["neighbors"] == [{"word": near.word, "distance": near.distance} for near in expected]
    assert len(here("neighbors", path, "cat", "-k", "100000")[1].splitlines()) == 749


def test_a_bundle_that_holds_odd_words_is_named(here: Here, vectors: Path) -> None:
    """The bundle is like one that was made before they were left out."""
    path = str(vectors / "words-64.hushbit")
    code, out, err = here("verify", path)
    assert (code, out.startswith(b"ok ")) == (0, True)
    assert b"words of four or more digits are in the bundle and can come out" in err
    document = json.loads(here("inspect", path, "--json")[1])
    words = [hushbit.open(path).word(i) for i in range(document["info"]["words"])]
    assert document["odd_words"] == {"long_numbers": sum(map(is_long_number, words)), "unseen_characters": 0}
    assert document["odd_words"]["long_numbers"] == 9
    assert b"beware     9 words of four" in here("inspect", path)[1]
