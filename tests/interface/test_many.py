"""Many texts at once: in bounded memory, as one batch of bytes, and through privatizers that were sent elsewhere."""

import copy
import itertools
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import hushbit
from hushbit import errors
from typed import CANARY

SURE = 40.0


@pytest.fixture(scope="module")
def bundle(vectors: Path) -> hushbit.Bundle:
    return hushbit.open(vectors / "words-256.hushbit")


def batch_of(texts: list[bytes]) -> tuple[np.ndarray, bytes]:
    return np.cumsum([0, *map(len, texts)]), b"".join(texts)


# ---- One after another


def test_texts_without_end_are_read_a_little_ahead(bundle: hushbit.Bundle) -> None:
    read = 0

    def endless() -> Iterator[str]:
        nonlocal read
        while True:
            read += 1
            yield "cat"

    released = bundle.privatizer(epsilon=SURE, allow_unchanged=True).privatize_many(endless(), threads=2)
    assert [text.text for text in itertools.islice(released, 1000)] == ["cat"] * 1000
    assert read < 2500
    released.close()  # type: ignore[attr-defined]


def test_texts_before_one_that_fails_come_out(bundle: hushbit.Bundle) -> None:
    released = bundle.privatizer(epsilon=SURE, oov="error", allow_unchanged=True).privatize_many(
        ["cat"] * 700 + [CANARY, "cat"]
    )
    assert [next(released).text for _ in range(700)] == ["cat"] * 700
    with pytest.raises(errors.UnknownWordError) as caught:
        next(released)
    assert caught.value.__notes__ == ["in the text at index 700"]


def test_with_a_budget_nothing_is_begun_that_nobody_asked_for(bundle: hushbit.Bundle, tmp_path: Path) -> None:
    budget = hushbit.Budget(tmp_path / "ledger")
    released = bundle.privatizer(epsilon=SURE, budget=budget, allow_unchanged=True).privatize_many(
        ["cat", "cat cat", "cat"]
    )
    assert budget.state.tokens_lifetime == 0
    next(released)
    next(released)
    assert budget.state.tokens_lifetime == 3


# ---- A batch of bytes


def test_a_batch_is_its_texts_one_by_one(bundle: hushbit.Bundle) -> None:
    privatizer = bundle.privatizer(epsilon=SURE, allow_unchanged=True)
    typed = [b"cat music", b"", "road, hård\0sun".encode(), b"cat" * 3]
    offsets, data = batch_of(typed)
    batch, error = privatizer._native.privatize_batch(offsets, data)
    assert error is None
    one_by_one = [privatizer.privatize(text.decode()) for text in typed]
    known = [0, 1, 2]  # an unknown word becomes another every time
    texts = [batch.text[a:b].decode() for a, b in itertools.pairwise(batch.offsets.tolist())]
    assert len(texts) == 4
    assert [texts[i].split()[0] for i in (0, 2)] == ["cat", "road"]
    assert [texts[i] for i in known[:2]] == [one_by_one[i].text for i in known[:2]]
    assert batch.worst_cases.tolist() == [text.cost.worst_case for text in one_by_one]
    assert batch.averages.tolist() == [text.cost.average for text in one_by_one]
    assert batch.released == 4 + batch.counts.unknown
    for name in ("words", "unknown", "dropped", "verbatim", "public_words"):
        assert getattr(batch.counts, name) == sum(getattr(text.cost, name) for text in one_by_one)
    part, _ = privatizer._native.privatize_batch(offsets[:2] + 0, memoryview(data))
    assert part.text == b"cat music"


def test_a_batch_ends_before_the_text_that_fails(bundle: hushbit.Bundle) -> None:
    offsets, data = batch_of([b"cat", b"the \xff", b"cat"])
    batch, error = bundle.privatizer(epsilon=SURE, allow_unchanged=True)._native.privatize_batch(offsets, data)
    assert (batch.text, batch.offsets.tolist()) == (b"cat", [0, 3])
    assert isinstance(error, errors.InvalidTextError)
    assert error.position == 4


@pytest.mark.parametrize("offsets", [[], [0, 4], [-1, 2], [2, 1], [[0, 1]]])
def test_offsets_stay_inside_the_data(bundle: hushbit.Bundle, offsets: list[int]) -> None:
    with pytest.raises(errors.InvalidArgumentError, match="offsets"):
        bundle.privatizer(epsilon=1, allow_unchanged=True)._native.privatize_batch(
            np.array(offsets, dtype=np.int64), b"cat"
        )


def test_data_is_one_run(bundle: hushbit.Bundle) -> None:
    with pytest.raises(errors.InvalidArgumentError, match="one run"):
        bundle.privatizer(epsilon=1, allow_unchanged=True)._native.privatize_batch(
            np.array([0, 1]), memoryview(b"catcat")[::2]
        )


# ---- Elsewhere


def test_a_privatizer_is_pickled_as_its_description(bundle: hushbit.Bundle) -> None:
    privatizer = bundle.privatizer("tem", 3.0, oov="mask", mask="gone", beta=0.01, allow_unchanged=True)
    data = pickle.dumps(privatizer)
    assert len(data) < 1000
    again = pickle.loads(data)
    assert again.info == privatizer.info
    assert (again.oov, again.bundle.info) == ("mask", bundle.info)
    assert again.privatize("blorb").text == "gone"
    assert pickle.loads(data) is again  # opened once


def test_another_process_opens_it(bundle: hushbit.Bundle, tmp_path: Path) -> None:
    sent = tmp_path / "privatizer"
    sent.write_bytes(pickle.dumps(bundle.privatizer(epsilon=SURE, allow_unchanged=True)))
    script = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')).privatize('cat').text)"
    done = subprocess.run([sys.executable, "-c", script, sent], cwd="/", capture_output=True, text=True, check=True)
    assert done.stdout == "cat\n"


def test_another_bundle_at_the_path_is_refused(vectors: Path, tmp_path: Path) -> None:
    path = tmp_path / "words.hushbit"
    path.write_bytes((vectors / "words-256.hushbit").read_bytes())
    data = pickle.dumps(hushbit.open(path).privatizer(epsilon=1.25, allow_unchanged=True))
    other = tmp_path / "other"
    other.write_bytes((vectors / "words-64.hushbit").read_bytes())
    other.replace(path)
    with pytest.raises(errors.InvalidArgumentError, match="is not the expected one"):
        pickle.loads(data)


def test_what_stays_where_it_is_says_why(bundle: hushbit.Bundle, tmp_path: Path) -> None:
    in_memory = hushbit.Bundle(hushbit._core.Bundle.from_bytes(Path(bundle.path or "").read_bytes()))
    for privatizer, reason in (
        (bundle.privatizer(epsilon=0.4, device_key=bytes(32)), "with a device key"),
        (bundle.privatizer(epsilon=0.4, budget=hushbit.Budget(tmp_path / "ledger")), "hushbit corpus --budget"),
        (bundle.privatizer(epsilon=0.4, audit_log=tmp_path / "log"), "with an audit log"),
        (in_memory.privatizer(epsilon=0.4), "hushbit.open"),
    ):
        with pytest.raises(TypeError, match=f"cannot be pickled.*{reason}"):
            pickle.dumps(privatizer)
        assert copy.deepcopy(privatizer) is copy.copy(privatizer) is privatizer
