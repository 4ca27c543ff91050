"""A small exported bundle, damaged in every byte: found by `open` or `verify`, and never a crash.

The core's own tests (native/tests/damage_test.cpp) go further, under the sanitizers; these go the way a user goes.
"""

import contextlib
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import hushbit
import hushbit.cli
from cli_runner import assert_no_traceback, run_here
from hushbit import _core
from hushbit.errors import CorruptBundleError, UnsupportedBundleError
from hushbit.toolchain.bundle import Header, assemble, encode_sections

EXIT_CORRUPT = 4
EXIT_MISMATCH = 5
TEXT = "The cat's dog isn't a dog; caf\u00e9 \U0001f600."
WORDS = ["the", "cat", "cats", "'s", "dog", "dogs", "dogma", "is", "n't", "a", "b", "caf\u00e9", ",", "well-known"]
HEADER_BYTES = 128


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a bundle that `hushbit export` wrote."""
    directory = tmp_path_factory.mktemp("corruption")
    generator = np.random.default_rng(0)
    rows = [" ".join([word, *(f"{x:.4f}" for x in generator.normal(size=8))]) for word in WORDS]
    glove, output = directory / "toy.txt", directory / "words.hushbit"
    glove.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    done = run_here("export", "--embeddings", glove, "--bits", "64", "-o", output)
    assert done.returncode == 0, done.stderr
    return output.read_bytes()


def flipped(data: bytes, at: int, mask: int) -> bytes:
    return data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :]


def opened(data: bytes) -> _core.Bundle | None:
    """None if it is refused, which must be for being corrupt or unsupported."""
    try:
        return _core.Bundle.from_bytes(data)
    except (CorruptBundleError, UnsupportedBundleError):
        return None


def verified(bundle: _core.Bundle) -> bool:
    try:
        bundle.verify()
    except CorruptBundleError:
        return False
    return True


def use(bundle: _core.Bundle) -> None:
    """Words, their ids and a text, which a damaged bundle may refuse to give but must not crash on."""
    for id in range(bundle.info().words):
        with contextlib.suppress(CorruptBundleError):
            bundle.find(bundle.word(id))
    with contextlib.suppress(CorruptBundleError):
        _core.Privatizer(bundle, allow_unchanged=True).privatize(TEXT.encode()).text.decode()


def test_the_undamaged_bundle_is_good(bundle: bytes) -> None:
    good = opened(bundle)
    assert good is not None
    assert verified(good)
    assert good.info().words == len(WORDS)
    use(good)


def test_every_bit_is_covered(bundle: bytes) -> None:
    """Each bit flipped alone; of the tiles and what comes after, one bit of each byte."""
    (bulk,) = (section.offset for section in _core.Bundle.from_bytes(bundle).sections() if section.name == "codes")
    for at in range(len(bundle)):
        for bit in range(8) if at < bulk else (at % 8,):
            damaged = opened(flipped(bundle, at, 1 << bit))
            assert damaged is None or not verified(damaged), f"bit {bit} of byte {at}"


def test_every_byte_may_be_anything(bundle: bytes) -> None:
    """Each byte replaced by another: whatever opens can be used."""
    generator = random.Random(1)
    used = 0
    for at in range(len(bundle)):
        damaged = opened(flipped(bundle, at, generator.randrange(1, 256)))
        if damaged is not None:
            use(damaged)
            used += 1
    assert used > len(bundle) / 2, "opening looks at little of a bundle"


def test_every_cut_is_refused(bundle: bytes) -> None:
    for size in range(len(bundle)):
        assert opened(bundle[:size]) is None, size
    assert opened(bundle + b"\0") is None


# ---- Through the command


def damaged_files(bundle: bytes, path: Path) -> Iterator[int]:
    """Writes the bundle to the path with every 13th byte damaged in turn; yields which."""
    for at in range(0, len(bundle), 13):
        path.write_bytes(flipped(bundle, at, 1 << at % 8))
        yield at


def assert_one_error(out: bytes, err: bytes) -> None:
    """Nothing on stdout, one line on stderr."""
    assert out == b""
    assert err.startswith(b"hushbit: error: ")
    assert err.count(b"\n") == 1


def test_verify_exits_4_or_5(bundle: bytes, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "damaged.hushbit"
    codes = set()
    for at in damaged_files(bundle, path):
        code = hushbit.cli.main(["verify", str(path)])
        out, err = capfdbinary.readouterr()
        assert_no_traceback(err)
        assert_one_error(out, err)
        assert code in (EXIT_CORRUPT, EXIT_MISMATCH), at
        codes.add(code)
    assert codes == {EXIT_CORRUPT, EXIT_MISMATCH}


def test_privatize_gives_text_or_exits_4(
    bundle: bytes, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path, typed = tmp_path / "damaged.hushbit", tmp_path / "typed.txt"
    typed.write_text(TEXT, encoding="utf-8")
    codes = set()
    for at in damaged_files(bundle, path):
        code = hushbit.cli.main(["privatize", str(path), str(typed), "--epsilon", "1"])
        out, err = capfdbinary.readouterr()
        assert_no_traceback(err)
        assert code in (0, EXIT_CORRUPT), (at, err)
        if code == EXIT_CORRUPT:
            assert_one_error(out, err)
        codes.add(code)
    assert codes == {0, EXIT_CORRUPT}


@pytest.mark.parametrize("name", ["verify", "privatize", "inspect", "neighbors"])
def test_a_cut_file_says_so(name: str, bundle: bytes, tmp_path: Path) -> None:
    path = tmp_path / "cut.hushbit"
    path.write_bytes(bundle[: len(bundle) // 2])
    arguments: list[str | Path] = [name, path, "the"] if name == "neighbors" else [name, path]
    done = run_here(*arguments)
    assert done.returncode == EXIT_CORRUPT
    assert_one_error(done.stdout, done.stderr)
    assert b"cut off" in done.stderr
    assert b"download it again" in done.stderr


@pytest.mark.parametrize("meta", [b"[]", b"{", b'{"a": NaN,}', b"null"])
def test_verify_reads_the_description(meta: bytes, tmp_path: Path) -> None:
    path = tmp_path / "words.hushbit"
    header = Header(
        default_epsilon=1, average_distance=0, max_distance=0, unicode_version="14.0.0", default_mechanism="brr"
    )
    path.write_bytes(assemble(header, meta, encode_sections([b"a"], np.zeros((1, 8), dtype=np.uint8))))
    hushbit.open(path).verify()  # every hash fits
    done = run_here("verify", path)
    assert done.returncode == EXIT_MISMATCH
    assert_one_error(done.stdout, done.stderr)
    assert b"not a JSON object" in done.stderr


@pytest.mark.parametrize("content", [b"", b"\n", b"not a bundle", bytes(HEADER_BYTES), b"\x89HSB\n\x1a\n" + bytes(500)])
def test_what_is_no_bundle(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(CorruptBundleError, match="bundle"):
        hushbit.open(path)
