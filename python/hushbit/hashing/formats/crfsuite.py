"""CRFsuite models whose attributes are hashes, written as decimal numbers.

python-crfsuite trains such models, but cannot be told weights, so the file is written here. It is little-endian:

    0     "lCRF", u32 size of the file, "FOMC", u32 version 100, u32 features, u32 labels, u32 attributes,
          u32 offsets of: features, label dictionary, attribute dictionary, label references, attribute references
    "FEAT", u32 size, u32 count, then each feature: u32 type, u32 source, u32 destination label, f64 weight
          type 0 is a state feature, from an attribute; type 1 is a transition, from a label
    the dictionaries (see cqdb.py)
    "LFRF" and "AFRF", u32 size, u32 count, u32 offset of each label's or attribute's list; a list is
          u32 length, u32 numbers of the features that come from it

All offsets are from the start of the file, so that it ends at 4 GiB.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.atomic import atomic_file
from hushbit._plumbing.files import reading
from hushbit.errors import InputFileError, InvalidArgumentError
from hushbit.hashing.formats.cqdb import BadDictionaryError, read_strings, write_decimals, write_strings
from hushbit.hashing.table.model import HashedModel, Rows, sorted_model

_HEADER = struct.Struct("<4sI4s9I")
_CHUNK = struct.Struct("<4s2I")
_VERSION = 100
FEATURE = np.dtype([("type", "<u4"), ("source", "<u4"), ("label", "<u4"), ("weight", "<f8")])
_STATE, _TRANSITION = 0, 1
_MAX_BYTES = (1 << 32) - 1
_BLOCK = 1 << 14


@dataclass(frozen=True, eq=False)
class CrfsuiteFile:
    """A CRFsuite model; its transitions stay as they are."""

    path: Path
    model: HashedModel
    transitions: NDArray[Any]
    format: str = "crfsuite"

    def write(self, path: Path | str, rows: Rows) -> None:
        """Writes the complete model: every attribute with a weight for every label. Raises WriteFailedError."""
        model, count = self.model, len(self.model.labels)
        with atomic_file(path) as file:
            file.write(bytes(_HEADER.size))
            offsets = [self._write_features(file, rows), *self._write_dictionaries(file)]
            offsets += [self._write_label_references(file), self._write_attribute_references(file)]
            size = file.tell()
            file.seek(0)
            features = model.range * count + len(self.transitions)
            header = (b"lCRF", size, b"FOMC", _VERSION, features, count, model.range, *offsets)
            file.write(_HEADER.pack(*header))

    def _write_features(self, file: BinaryIO, rows: Rows) -> int:
        """State features in the order of attributes and labels, then the transitions."""
        begin, count = file.tell(), len(self.model.labels)
        features = self.model.range * count + len(self.transitions)
        file.write(_CHUNK.pack(b"FEAT", _CHUNK.size + FEATURE.itemsize * features, features))
        first = 0
        for block in rows:
            records = np.zeros((len(block), count), dtype=FEATURE)
            records["source"] = np.arange(first, first + len(block))[:, None]
            records["label"] = np.arange(count)
            records["weight"] = block
            file.write(records.tobytes())
            first += len(block)
        file.write(self.transitions.tobytes())
        return begin

    def _write_dictionaries(self, file: BinaryIO) -> list[int]:
        labels = _aligned(file)
        write_strings(file, list(self.model.labels))
        attributes = _aligned(file)
        write_decimals(file, self.model.range)
        return [labels, attributes]

    def _write_label_references(self, file: BinaryIO) -> int:
        begin, count = _aligned(file), len(self.model.labels)
        first = self.model.range * count
        lists = [first + np.flatnonzero(self.transitions["source"] == label) for label in range(count)]
        starts = np.cumsum([begin + _CHUNK.size + 4 * count, *(4 + 4 * len(item) for item in lists)])
        file.write(_CHUNK.pack(b"LFRF", int(starts[-1]) - begin, count) + starts[:-1].astype("<u4").tobytes())
        for item in lists:
            file.write(np.array([len(item), *item], dtype="<u4").tobytes())
        return begin

    def _write_attribute_references(self, file: BinaryIO) -> int:
        begin, count, size = _aligned(file), len(self.model.labels), self.model.range
        lists, length = begin + _CHUNK.size + 4 * size, 4 + 4 * count
        file.write(_CHUNK.pack(b"AFRF", lists + length * size - begin, size))
        for first in range(0, size, _BLOCK):
            rows = np.arange(first, min(first + _BLOCK, size), dtype=np.int64)
            file.write((lists + length * rows).astype("<u4").tobytes())
        for first in range(0, size, _BLOCK):
            rows = np.arange(first, min(first + _BLOCK, size), dtype=np.int64)
            entries = np.empty((len(rows), 1 + count), dtype="<u4")
            entries[:, 0] = count
            entries[:, 1:] = rows[:, None] * count + np.arange(count)
            file.write(entries.tobytes())
        return begin


def _aligned(file: BinaryIO) -> int:
    file.write(bytes(-file.tell() % 4))
    return file.tell()


def read_crfsuite(path: Path, size: int | None) -> CrfsuiteFile:
    """Reads a model of `size` hashes, which the file itself does not say. Raises InputFileError."""
    if size is None:
        raise InvalidArgumentError(f"{path}: a CRFsuite model does not say how many hashes there are; give the range")
    try:
        with reading(path), path.open("rb") as file:
            return _read(path, file, size)
    except (struct.error, BadDictionaryError, UnicodeDecodeError):
        raise InputFileError(f"{path}: the CRFsuite model is damaged") from None
    except InvalidArgumentError as error:
        raise InputFileError(f"{path}: {error}") from None


def _read(path: Path, file: BinaryIO, size: int) -> CrfsuiteFile:
    whole = file.seek(0, 2)
    file.seek(0)
    header = _HEADER.unpack(file.read(_HEADER.size))
    if (header[0], header[2], header[3]) != (b"lCRF", b"FOMC", _VERSION) or header[1] > whole:
        raise InputFileError(f"{path}: not a whole CRFsuite model of version {_VERSION}")
    labels, attributes, at_features, at_labels, at_attributes = header[5:10]
    file.seek(at_labels)
    # What is written for a hash: features and references, a string, and at most 40 bytes of its slots and offsets.
    if size * (FEATURE.itemsize * labels + 4 * labels + 8 + 40) > _MAX_BYTES:
        raise InvalidArgumentError(
            f"{size} hashes of {labels} labels need more than the 4 GiB that a CRFsuite model may have"
        )
    names = [name.decode() for name in read_strings(file, labels)]
    file.seek(at_attributes)
    hashes = _read_hashes(path, file, attributes)
    file.seek(at_features)
    weights = np.zeros((attributes, labels))
    transitions = _read_features(file, whole, weights)
    model = sorted_model(size, hashes, weights, np.zeros(labels), tuple(names))
    return CrfsuiteFile(path, model, transitions)


def _read_hashes(path: Path, file: BinaryIO, count: int) -> NDArray[np.int64]:
    hashes: list[int] = []
    for number, name in enumerate(read_strings(file, count), 1):
        # Says where, but not which: an attribute that is no hash may be a word of the training data.
        if not name.isdigit() or len(name) > 18 or (name.startswith(b"0") and name != b"0"):
            raise InputFileError(f"{path}: attribute {number} is not a hash in decimal digits")
        hashes.append(int(name))
    return np.array(hashes, dtype=np.int64)


def _read_features(file: BinaryIO, whole: int, weights: NDArray[np.float64]) -> NDArray[Any]:
    """Puts the weights of state features into the (attributes, labels) table and returns the transitions."""
    attributes, labels = weights.shape
    magic, _, count = _CHUNK.unpack(file.read(_CHUNK.size))
    if magic != b"FEAT" or file.tell() + count * FEATURE.itemsize > whole:
        raise BadDictionaryError
    transitions = [np.empty(0, dtype=FEATURE)]
    seen = np.zeros(weights.shape, dtype=np.bool_)
    states = 0
    for first in range(0, count, _BLOCK):
        some = np.frombuffer(file.read(min(_BLOCK, count - first) * FEATURE.itemsize), dtype=FEATURE)
        state = some[some["type"] == _STATE]
        transitions.append(some[some["type"] == _TRANSITION])
        if (some["type"] > _TRANSITION).any():
            raise InvalidArgumentError("the CRFsuite model has features that are neither of attributes nor transitions")
        if (some["label"] >= labels).any() or (state["source"] >= attributes).any():
            raise BadDictionaryError
        weights[state["source"], state["label"]] = state["weight"]
        seen[state["source"], state["label"]] = True
        states += len(state)
    result = np.concatenate(transitions)
    if (result["source"] >= labels).any():
        raise BadDictionaryError
    if np.count_nonzero(seen) != states or len(np.unique(result[["source", "label"]])) != len(result):
        raise InvalidArgumentError("the CRFsuite model has a feature twice")
    return result
