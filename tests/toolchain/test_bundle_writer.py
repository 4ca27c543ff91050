"""The writer: what it writes is what the core and the reference read; distances, calibration, atomic writing."""

import errno
import itertools
import os
import stat
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hushbit import _core, _core_testing
from hushbit._plumbing.atomic import WriteFailedError, write_atomically
from hushbit._plumbing.progress import no_progress
from hushbit.errors import InvalidArgumentError
from hushbit.toolchain.bundle import (
    BundleOptions,
    Header,
    antipodes,
    assemble,
    build_bundle,
    encode_sections,
    largest_distance,
)
from hushbit.toolchain.bundle.calibration import TARGET, UnchangedShare, calibrate
from hushbit.toolchain.bundle.container import encode_meta
from hushbit.toolchain.bundle.distances import average_distance, words_with_shared_code
from hushbit.toolchain.bundle.words import canonical_codes, code_lengths, encode_words
from hushbit.toolchain.embeddings import Embeddings, Source, VocabularyFilter
from reference.bundle_file import read_bundle
from search_cases import random_codes

WORD = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=80).filter(
    lambda word: len(word.encode()) <= 255
)
NEAR_WORD = st.text("ab", min_size=1, max_size=9)  # many common prefixes


def bundle_bytes(words: list[bytes], codes: NDArray[np.uint8], epsilon: float = 1.0) -> bytes:
    header = Header(epsilon, average_distance(codes), codes.shape[1] * 8, _core.UNICODE_VERSION, "brr")
    return assemble(header, encode_meta({"ü": 1}), encode_sections(words, codes))


def core_bundle(codes: NDArray[np.uint8]) -> _core.Bundle:
    return _core.Bundle.from_bytes(bundle_bytes([b"%08d" % i for i in range(len(codes))], codes))


def embeddings_of(words: list[str], dimensions: int = 4, seed: int = 0) -> Embeddings:
    vectors = np.random.default_rng(seed).normal(size=(len(words), dimensions)).astype(np.float32)
    return Embeddings(words, vectors, Source("toy.txt", "0" * 64), len(words), 0, [])


@settings(deadline=None)
@given(
    st.one_of(st.sets(WORD, min_size=1, max_size=200), st.sets(NEAR_WORD, min_size=1, max_size=300)),
    st.sampled_from([64, 128, 256, 512]),
)
def test_core_and_reference_read_what_is_written(chosen: set[str], bits: int) -> None:
    words = sorted(word.encode() for word in chosen)
    codes = random_codes(len(words), bits)
    data = bundle_bytes(words, codes)
    bundle = _core.Bundle.from_bytes(data)
    bundle.verify()
    assert [bundle.word(i) for i in range(len(words))] == words
    assert [bundle.find(word) for word in words] == list(range(len(words)))
    np.testing.assert_array_equal(bundle.codes(np.arange(len(words), dtype=np.uint32)), codes)
    read = read_bundle(data)
    assert read.words == words
    np.testing.assert_array_equal(read.codes, codes)


def test_the_header_and_the_meta_section_say_what_was_said(tmp_path: Path) -> None:
    codes = random_codes(3, 128)
    header = Header(0.25, 12.5, 99, "15.1.2", "brr")
    data = assemble(header, encode_meta({"b": "ü", "a": None}), encode_sections([b"a", b"b", b"c"], codes))
    bundle = _core.Bundle.from_bytes(data)
    info = bundle.info()
    assert (info.format_major, info.format_minor, info.bits, info.words, info.max_word_bytes) == (1, 0, 128, 3, 1)
    assert (info.default_epsilon, info.average_distance, info.max_distance) == (0.25, 12.5, 99)
    assert (info.unicode_version, info.default_mechanism, info.file_bytes) == ("15.1.2", "brr", len(data))
    assert bundle.meta() == '{"a":null,"b":"ü"}'.encode()


def test_words_over_several_chunks_and_of_all_lengths() -> None:
    # Over 32,768 words, the encoder's chunk, and every length of a word up to the longest.
    words = sorted({b"%x" % (i * 7919) for i in range(70_000)} | {b"w" * length for length in range(1, 256)})
    data = bundle_bytes(words, random_codes(len(words), 64))
    bundle = _core.Bundle.from_bytes(data)
    bundle.verify()
    assert bundle.info().max_word_bytes == 255
    assert read_bundle(data).words == words


@pytest.mark.parametrize("words", [[b"b", b"a"], [b"a", b"a"], [b""], [b"a\0"], [b"x" * 256]])
def test_words_that_a_bundle_cannot_hold(words: list[bytes]) -> None:
    with pytest.raises(InvalidArgumentError):
        encode_words(words)


@given(st.lists(st.integers(0, 10**9), min_size=2, max_size=256).filter(lambda counts: sum(c > 0 for c in counts) > 1))
def test_code_lengths_are_complete_bounded_and_monotone(counts: list[int]) -> None:
    lengths = code_lengths(counts)
    assert all((length > 0) == (count > 0) for length, count in zip(lengths, counts, strict=True))
    assert max(lengths) <= 12
    assert sum(2**-length for length in lengths if length > 0) == 1
    used = sorted((count, -length) for count, length in zip(counts, lengths, strict=True) if count > 0)
    for (a, _), (b, _) in itertools.pairwise(used):
        shortest = max(length for count, length in used if count == a)
        assert a == b or shortest <= min(length for count, length in used if count == b) or a > b


def test_code_lengths_are_optimal_on_small_alphabets() -> None:
    generator = np.random.default_rng(0)
    for _ in range(50):
        counts = (2.0 ** generator.uniform(0, 10, size=5)).astype(int).tolist()
        best = min(
            sum(c * n for c, n in zip(counts, lengths, strict=True))
            for lengths in itertools.product(range(1, 4), repeat=5)
            if sum(2.0**-n for n in lengths) <= 1
        )
        assert sum(c * n for c, n in zip(counts, code_lengths(counts, 3), strict=True)) == best


def test_code_lengths_at_the_limit_and_of_few_symbols() -> None:
    fibonacci = [1, 1]
    while len(fibonacci) < 40:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    assert max(code_lengths(fibonacci)) == 12
    assert code_lengths([0, 0]) == [0, 0]
    assert code_lengths([0, 5]) == [0, 1]
    assert canonical_codes([2, 1, 3, 3]) == [0b10, 0b0, 0b110, 0b111]


@pytest.mark.parametrize(("count", "bits"), [(1, 64), (2, 128), (300, 64), (257, 512)])
def test_distances_are_those_of_all_pairs(count: int, bits: int) -> None:
    codes = random_codes(count, bits, seed=count)
    codes[count // 2] = codes[0]
    distances = [[int(np.unpackbits(a ^ b).sum()) for b in codes] for a in codes]
    assert average_distance(codes) == pytest.approx(np.mean(distances), rel=1e-12)
    everything = largest_distance.largest_distance(
        core_bundle(codes), codes, np.arange(count, dtype=np.uint32), no_progress
    )
    assert everything == (np.max(distances), True)
    twins = sum(row.count(0) > 1 for row in distances)
    assert words_with_shared_code(codes) == twins


@pytest.mark.parametrize("agreeing", [0, 3, 11, 12, 20, 23, 30])
def test_nearly_antipodal_pairs_are_found_without_comparing_all(agreeing: int) -> None:
    codes = random_codes(3000, 256, seed=agreeing)
    flips = np.zeros(256, dtype=np.uint8)
    flips[np.random.default_rng(agreeing).permutation(256)[:agreeing]] = 1
    codes[17] = ~codes[2500] ^ np.packbits(flips)
    radius = agreeing // 12
    assert antipodes.largest_distance(codes, 0, radius, lambda done, total: None) == 256 - agreeing


def test_all_pairs_are_compared_unless_a_lookup_is_cheaper() -> None:
    codes = random_codes(200_000, 256)
    bests = (256, 244, 243, 232, 231, 220, 219)
    assert [antipodes.radius_for(codes, best) for best in bests] == [0, 0, 1, 1, 2, 2, None]
    assert antipodes.radius_for(codes[:100], 256) is None
    half = np.repeat(codes[:2], 100_000, axis=0)  # two codes, each of half of the words: their pairs would all be found
    half[100_000:] = ~codes[0]
    assert antipodes.radius_for(half, 255) is None


def test_the_antipodes_decide_in_a_bundle_that_is_large_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = random_codes(20_000, 256)
    codes[19_000] = ~codes[1]
    codes[19_000, 5] ^= 1
    monkeypatch.setattr(largest_distance, "_compare_all", None)  # it must not come to that
    starts = np.array([1], dtype=np.uint32)
    assert largest_distance.largest_distance(core_bundle(codes), codes, starts, no_progress) == (255, True)


def test_calibration_reaches_its_target_where_it_can() -> None:
    codes = random_codes(2000, 64)
    bundle = core_bundle(codes)
    found = calibrate(bundle, "brr", 0, no_progress)
    assert found.note is None
    assert found.unchanged == pytest.approx(TARGET, abs=0.02)
    assert found.unchanged == UnchangedShare(bundle, 0)(found.epsilon)
    # Another seed draws another sample: each share has a standard deviation of at most 0.5 / sqrt(1000), the difference
    # of two 1.41 times that; 5 of them are a false alarm in 10^6 runs, if the seeds were not fixed.
    assert abs(UnchangedShare(bundle, 1)(found.epsilon) - TARGET) < 5 * 1.41 * 0.5 / np.sqrt(1000)


def test_the_unchanged_share_is_what_the_mechanism_does() -> None:
    # Two words, 64 bits apart in d of them: N_w = Pr[fewer than half of the d bits flip] + half of Pr[exactly half].
    codes = np.zeros((2, 8), dtype=np.uint8)
    codes[1, 0] = 0b11
    share = UnchangedShare(core_bundle(codes), 0, 20_000)
    flip = 1 / (1 + np.exp(1.0))
    expected = (1 - flip) ** 2 + flip * (1 - flip)
    # Terms in [0, 1]: standard deviation at most 0.5 / sqrt(20000); 5 of them, one false alarm in 10^6 (fixed seed).
    assert abs(share(1.0) - expected) < 5 * 0.5 / np.sqrt(20_000)


def test_calibration_of_tem_reaches_its_target() -> None:
    bundle = core_bundle(random_codes(800, 64))
    found = calibrate(bundle, "tem", 0, no_progress)
    assert (found.note, found.sample) == (None, 800)
    assert found.unchanged == pytest.approx(TARGET, abs=0.01)
    # What it does, on all words 50 times. Means of 40,000 draws: standard deviation at most 0.0025, 5 of them are one
    # false alarm in 10^6 runs, if the seed were not fixed.
    words = np.repeat(np.arange(800, dtype=np.uint32), 50)
    privatizer = _core.Privatizer(bundle, mechanism="tem", epsilon=found.epsilon)
    assert abs((_core_testing.replace(privatizer, words, bytes(32)) == words).mean() - found.unchanged) < 5 * 0.0025


@pytest.mark.parametrize("mechanism", ["brr", "tem"])
@pytest.mark.parametrize(("words", "unchanged"), [(1, 1.0), (4, 0.25)])
def test_calibration_of_words_that_all_share_one_code(words: int, unchanged: float, mechanism: str) -> None:
    found = calibrate(core_bundle(np.zeros((words, 8), dtype=np.uint8)), mechanism, 0, no_progress)
    assert (found.epsilon, found.unchanged) == (0, unchanged)
    assert "no epsilon gives less" in (found.note or "")


@pytest.mark.parametrize("mechanism", ["brr", "tem"])
def test_calibration_aims_at_half_of_what_shared_codes_allow(mechanism: str) -> None:
    codes = np.repeat(random_codes(20, 64), 3, axis=0)
    found = calibrate(core_bundle(codes), mechanism, 0, no_progress)
    assert found.unchanged == pytest.approx(1 / 6, abs=0.01)
    assert "at most 0.333" in (found.note or "")


def test_the_same_input_gives_the_same_bytes() -> None:
    words = [f"word{i}" for i in range(500)]
    first, report = build_bundle(embeddings_of(words), BundleOptions(bits=64, seed=3))
    again, _ = build_bundle(embeddings_of(words), BundleOptions(bits=64, seed=3))
    other, _ = build_bundle(embeddings_of(words), BundleOptions(bits=64, seed=4))
    assert first == again
    assert first != other
    assert report.info.hash == _core.Bundle.from_bytes(first).info().hash.hex()


def test_the_report_and_meta_agree_with_the_bundle() -> None:
    words = ["b", "a", "É", "x@y.z", "12345678", "", "c d", "no"]
    data, report = build_bundle(embeddings_of(words), BundleOptions(bits=64, epsilon=0.5), VocabularyFilter(["no"]))
    read = read_bundle(data)
    assert read.words == [b"a", b"b"]
    reasons = ("e-mail address", "empty", "excluded word", "long number", "unreachable", "white space")
    assert report.left_out == dict.fromkeys(reasons, 1)
    assert report.info.words == 2
    assert report.calibration.epsilon == _core.Bundle.from_bytes(data).info().default_epsilon == 0.5
    assert sum(section.length for section in report.info.sections) < report.info.file_bytes == len(data)


def test_words_that_nobody_types_are_left_out() -> None:
    reachable = ["the", "n't", "é", "ß", "\u1e96", "ς", "q" + "\u0302" * 31, "很好", "می\u200cخ", "'", "...", "\u0301"]
    never = ["The", "don’t", "donʼt", "e\u0301", "É", "İ", "\u212b", "q" + "\u0302" * 32, "ﬁne", "a\u200db", "\u200ca"]
    embeddings = embeddings_of([*reachable, *never])
    data, report = build_bundle(embeddings, BundleOptions(bits=64, epsilon=0.5))
    assert set(read_bundle(data).words) == {word.encode() for word in reachable}
    assert report.left_out == {"unreachable": len(never)}
    assert report.why["unreachable"].startswith("11 rows with a word that no text can produce")


@pytest.mark.parametrize("keep", [False, True])
def test_long_numbers_are_kept_on_demand(keep: bool) -> None:
    chosen = VocabularyFilter(keep_long_numbers=keep)
    data, report = build_bundle(embeddings_of(["a", "b", "90210", "123"]), BundleOptions(bits=64, epsilon=0.5), chosen)
    assert read_bundle(data).long_numbers == keep
    assert report.left_out == ({} if keep else {"long number": 1})
    bundle = _core.Bundle.from_bytes(data)
    assert [token.kind for token in bundle.tokenize(b"90210 123")] == ["word" if keep else "unknown", "word"]


def test_codes_go_with_their_words_into_byte_order() -> None:
    embeddings = embeddings_of(["z", "ä", "a", "m"])
    forward, _ = build_bundle(embeddings, BundleOptions(bits=64))
    backward = Embeddings(embeddings.words[::-1], embeddings.vectors[::-1], embeddings.source, 4, 0, [])
    backward_bytes, _ = build_bundle(backward, BundleOptions(bits=64))
    a, b = read_bundle(forward), read_bundle(backward_bytes)
    assert a.words == b.words == [b"a", b"m", b"z", "ä".encode()]
    # Up to the last digit of the mean, the codes are the same.
    assert np.unpackbits(a.codes ^ b.codes).sum() <= 1


@pytest.mark.parametrize("options", [{"bits": 100}, {"epsilon": -1.0}, {"epsilon": float("nan")}, {"epsilon": np.inf}])
def test_impossible_options(options: dict[str, float]) -> None:
    with pytest.raises(InvalidArgumentError):
        BundleOptions(**options)  # type: ignore[arg-type]


def test_no_word_left() -> None:
    with pytest.raises(
        InvalidArgumentError, match=r"no word is left.*: 1 row with a word like an e-mail address, in line 1"
    ):
        build_bundle(embeddings_of(["a@b"]), BundleOptions())


def test_too_many_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hushbit.toolchain.bundle.build.MAX_WORDS", 2)
    with pytest.raises(InvalidArgumentError, match="3 words are more than the 2 of a bundle; use --max-words"):
        build_bundle(embeddings_of(["a", "b", "c"]), BundleOptions())


def test_writing_replaces_the_old_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "words.hushbit"
    write_atomically(path, b"old")
    path.chmod(0o640)
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_writing_through_a_symbolic_link_keeps_the_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "words.hushbit")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "words.hushbit").read_bytes() == b"new"


def test_data_is_on_the_disk_before_the_rename_and_the_rename_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def recording_fsync(descriptor: int) -> None:
        what = os.fstat(descriptor)
        steps.append("folder" if stat.S_ISDIR(what.st_mode) else f"file of {what.st_size} bytes")
        fsync(descriptor)

    def recording_replace(path: Path, target: Path) -> Path:
        steps.append("rename")
        return replace(path, target)

    monkeypatch.setattr("os.fsync", recording_fsync)
    monkeypatch.setattr("pathlib.Path.replace", recording_replace)
    write_atomically(tmp_path / "words.hushbit", b"new")
    assert steps == ["file of 3 bytes", "rename", "folder"]


def full_disk(*arguments: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def interrupt(*arguments: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("fails", "raised"), [(full_disk, WriteFailedError), (interrupt, KeyboardInterrupt)], ids=["full disk", "interrupt"]
)
@pytest.mark.parametrize("step", ["os.fsync", "pathlib.Path.replace"])
def test_a_full_disk_or_an_interrupt_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, fails: Callable[..., None], raised: type[BaseException]
) -> None:
    path = tmp_path / "words.hushbit"
    path.write_bytes(b"old")
    monkeypatch.setattr(step, fails)
    with pytest.raises(raised):
        write_atomically(path, b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
