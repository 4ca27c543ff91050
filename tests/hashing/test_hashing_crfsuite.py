"""CRFsuite's models, completed, and tagged with by CRFsuite."""

import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hashed_models import SIZE, privatize, score, train_crfsuite
from hushbit.errors import InputFileError, InvalidArgumentError
from hushbit.hashing import open_model


@pytest.mark.parametrize("parameters", [{}, {"feature.possible_states": 1}])
def test_crfsuite_tags_with_it(tmp_path: Path, parameters: dict[str, Any]) -> None:
    import pycrfsuite

    path, private = tmp_path / "m.crfsuite", tmp_path / "p.crfsuite"
    items, answers, before = train_crfsuite(path, **parameters)
    table = privatize(path, private, SIZE)
    tagger = pycrfsuite.Tagger()
    tagger.open(str(private))
    assert [tagger.tag(item) for item in items[:5]] == answers[:5]
    after = [score(tagger, item, answer) for item, answer in zip(items, answers, strict=True)]
    np.testing.assert_allclose(after, before, rtol=1e-9)
    info = tagger.info()
    assert set(info.attributes) == {str(i) for i in range(SIZE)}
    labels = open_model(path, size=SIZE).model.labels
    for (attribute, label), weight in list(info.state_features.items())[::7]:
        assert weight == pytest.approx(table[int(attribute), labels.index(label)], abs=1e-6)
    tagger.open(str(path))
    assert info.transitions == tagger.info().transitions
    tagger.close()


def test_attributes_that_are_no_hashes(tmp_path: Path) -> None:
    import pycrfsuite

    path = tmp_path / "m.crfsuite"
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.append([["17", "secretword"], ["4"]], ["a", "b"])
    trainer.train(str(path))
    with pytest.raises(InputFileError, match="attribute 2 is not a hash") as caught:
        open_model(path, size=32)
    assert "secret" not in str(caught.value)


def test_the_range_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "m.crfsuite"
    train_crfsuite(path)
    with pytest.raises(InvalidArgumentError, match="give the range"):
        open_model(path)
    with pytest.raises(InputFileError, match="outside 0 to 9"):
        open_model(path, size=10)


def test_damage(tmp_path: Path) -> None:
    """Cut anywhere, or with a byte changed, a model is read or refused; nothing else happens."""
    path = tmp_path / "m.crfsuite"
    train_crfsuite(path)
    data = path.read_bytes()
    generator = np.random.default_rng(0)
    for _ in range(300):
        damaged = bytearray(data)
        damaged[generator.integers(4, 60 if generator.random() < 0.5 else len(data))] ^= 1 << generator.integers(8)
        path.write_bytes(damaged[: generator.integers(4, len(data))] if generator.random() < 0.3 else damaged)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with suppress(InputFileError):
                open_model(path, size=SIZE)


def test_too_large(tmp_path: Path) -> None:
    path = tmp_path / "m.crfsuite"
    train_crfsuite(path)
    with pytest.raises(InputFileError, match="4 GiB"):
        open_model(path, size=1 << 28)


def test_the_dictionary_s_hash() -> None:
    """Test vectors of lookup3's author, and CRFsuite's own files in the tests above."""
    from hushbit.hashing.formats.lookup3 import hash_little

    text = np.frombuffer(b"Four score and seven years ago", dtype=np.uint8)
    assert hash_little(text[None]).tolist() == [0x17770551]
    assert hash_little(np.stack([text, text])).tolist() == [0x17770551] * 2


@pytest.mark.parametrize("count", [1, 9, 10, 11, 255, 1000, 12_345])
def test_dictionaries_find_every_string(count: int) -> None:
    """Follows open addressing as CRFsuite's reader does."""
    import io
    import struct

    from hushbit.hashing.formats.cqdb import read_strings, write_decimals
    from hushbit.hashing.formats.lookup3 import hash_little

    buffer = io.BytesIO()
    write_decimals(buffer, count)
    data = buffer.getvalue()
    buffer.seek(0)
    assert list(read_strings(buffer, count)) == [str(i).encode() for i in range(count)]
    for number in range(0, count, max(1, count // 500)):
        key = str(number).encode() + b"\0"
        hashed = int(hash_little(np.frombuffer(key, dtype=np.uint8)[None])[0])
        table, slots = struct.unpack_from("<2I", data, 24 + 8 * (hashed % 256))
        slot = (hashed >> 8) % slots
        for _ in range(slots):
            stored, offset = struct.unpack_from("<2I", data, table + 8 * slot)
            assert offset, f"{number} is not found"
            if stored == hashed and data[offset + 8 :].startswith(key):
                break
            slot = (slot + 1) % slots
        assert struct.unpack_from("<I", data, offset)[0] == number
