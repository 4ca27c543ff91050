"""Looks in whatever a model file holds for numbers that tell genuine hashes from synthetic ones.

Nothing here knows what a file should hold. It is taken apart into arrays, and each is laid against the hashes in every
way it fits: along an axis, flat, bit by bit, as a list of hashes, as a count. A column that orders genuine hashes
before synthetic ones is told from chance at six standard deviations: of a million columns without a trace, none is
reported with probability .998.
"""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit.hashing.formats.crfsuite import FEATURE

Named = tuple[str, NDArray[Any]]

DEVIATIONS = 6.0
EDGE = 3  # entries before or after those of the hashes, such as an intercept
MOST_COLUMNS = 600  # of an array, looked at


def traces(contents: list[Named], genuine: NDArray[np.bool_]) -> list[str]:
    """The signs that tell genuine hashes, each with its place; `genuine` is (R,)."""
    counts = {int(genuine.sum()) + step for step in (-1, 0, 1)} | {int((~genuine).sum()) + step for step in (-1, 0, 1)}
    counts -= {len(genuine)}
    found = []
    for name, array in contents:
        array = np.atleast_1d(array)
        if counts & {*array.shape, array.size}:
            found.append(f"{name}: as many entries as there are such hashes")
        if array.dtype.kind not in "biuf" or array.size == 0:
            continue
        if array.size <= 16 and counts & set(array[np.isfinite(array)].tolist()):
            found.append(f"{name}: the number of such hashes")
        if _lists_hashes(array, genuine):
            found.append(f"{name}: a list of such hashes")
        if any(_tells(column, genuine) for column in _columns(array, len(genuine))):
            found.append(f"{name}: entries in the order of the hashes")
    return found


def _columns(array: NDArray[Any], size: int) -> Iterator[NDArray[Any]]:
    """Everything of length `size` that entries of an array may be, one a hash."""
    layouts = [array.ravel(), array.ravel("F")]
    if array.dtype.kind in "biu" and size <= 8 * array.nbytes < size + 128:
        data = np.frombuffer(array.tobytes(), dtype=np.uint8)
        layouts += [np.unpackbits(data), np.unpackbits(data, bitorder="little")]
    tables = []
    for flat in layouts:
        several = len(flat) // size
        for first in {0, 1, len(flat) - several * size} if several else ():
            part = flat[first : first + several * size]
            if len(part) == several * size:
                tables += [part.reshape(several, size).T, part.reshape(size, several)]
    for axis, length in enumerate(array.shape):
        lines = np.moveaxis(array, axis, 0).reshape(length, -1)
        if array.dtype.kind in "iu" and length == size + 1:
            tables.append(np.diff(lines, axis=0))  # where the rows of a sparse matrix begin
        tables += [lines[first : first + size] for first in range(min(EDGE, length - size) + 1)]
        if length > size + EDGE:
            tables.append(lines[-size:])
    for table in tables:
        yield from table.T[:MOST_COLUMNS]


def _tells(column: NDArray[Any], genuine: NDArray[np.bool_]) -> bool:
    real = column.dtype.kind == "f"
    column = np.nan_to_num(column.astype(np.float64), nan=-1e300)
    _, where, often = np.unique(column, return_inverse=True, return_counts=True)
    features = [column, np.abs(column), often[where]]
    if real:
        digits = np.array([len(repr(value)) for value in column.tolist()])
        features += [np.signbit(column), column == np.rint(column), digits]
    return any(_separated(feature, genuine) for feature in features)


def _separated(feature: NDArray[Any], genuine: NDArray[np.bool_]) -> bool:
    """The Mann-Whitney test."""
    _, where, often = np.unique(feature, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(often) - (often - 1) / 2)[where]
    size, some = len(feature), int(genuine.sum())
    ties = float((often.astype(np.float64) ** 3 - often).sum()) / (size * (size - 1))
    variance = some * (size - some) / 12 * (size + 1 - ties)
    return variance > 0 and abs(ranks[genuine].sum() - some * (size + 1) / 2) > DEVIATIONS * np.sqrt(variance)


def _lists_hashes(array: NDArray[Any], genuine: NDArray[np.bool_]) -> bool:
    """Whether different whole numbers below R are genuine hashes, or others, more often than by chance."""
    values = np.unique(array[np.isfinite(array)])
    hashes = values[(values == np.rint(values)) & (values >= 0) & (values < len(genuine))].astype(np.int64)
    if not 8 <= len(hashes) < len(genuine) or len(hashes) < len(values) / 2:
        return False
    share, rest = genuine.mean(), (len(genuine) - len(hashes)) / (len(genuine) - 1)
    deviation = np.sqrt(share * (1 - share) * rest / len(hashes))
    return bool(abs(genuine[hashes].mean() - share) > DEVIATIONS * max(deviation, 1e-9))


def of_zip(path: Path) -> list[Named]:
    """Every array, every list and every number of a `.skops` or `.npz` file."""
    contents: list[Named] = []
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            data = archive.read(name)
            if name.endswith(".npy"):
                contents.append((name, np.load(io.BytesIO(data), allow_pickle=False)))
            elif name.endswith(".npz"):
                arrays = np.load(io.BytesIO(data), allow_pickle=False)
                contents += [(f"{name}/{part}", arrays[part]) for part in arrays]
            else:
                contents += _of_json(json.loads(data), name)
    return contents


def _of_json(value: Any, name: str) -> list[Named]:
    """The numbers below each list and object, keys included, and those of each text."""
    if isinstance(value, dict | list):
        parts = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
        parts = [(key, part) for key, part in parts if key not in ("__id__", "file")]  # addresses in memory
        below = [item for key, part in parts for item in _of_json(part, f"{name}/{key}")]
        numbers = [array for _, array in below if array.shape == ()]
        keys = np.array([int(key) for key, _ in parts if isinstance(key, str) and key.isdecimal()])
        whole = [(f"{name}/*", np.array(numbers)), (f"{name} keys", keys)] if numbers or len(keys) else []
        return [*below, *whole, (f"{name} length", np.array([len(parts)]))]
    if isinstance(value, str):
        return [(name, np.array(float(text))) for text in re.findall(r"\d+(?:\.\d+)?", value)]
    return [] if value is None else [(name, np.array(float(value)))]


def of_vowpal(path: Path) -> list[Named]:
    """The numbers of each line of the header, and of all; indices, weights, and how long their text is."""
    lines = path.read_text().splitlines()
    end = lines.index(":0") + 1
    header = [[float(text) for text in re.findall(r"\d+(?:\.\d+)?", line)] for line in lines[:end]]
    weights = [line.split(":") for line in lines[end:]]
    contents = [(f"line {number}", np.array(numbers)) for number, numbers in enumerate(header, 1)]
    contents.append(("header", np.concatenate([np.array(numbers) for numbers in header])))
    contents.append(("indices", np.array([int(index) for index, _ in weights])))
    contents.append(("weights", np.array([float(weight) for _, weight in weights])))
    contents.append(("digits", np.array([len(weight) for _, weight in weights])))
    return contents


def of_crfsuite(path: Path) -> list[Named]:
    """The words of the header, of each chunk and of what follows, and the columns of the features."""
    data = path.read_bytes()
    header = np.frombuffer(data, dtype="<u4", count=12)
    starts = [*sorted(int(offset) for offset in header[7:12]), len(data)]
    contents: list[Named] = [("header", header)]
    for begin, end in pairwise(starts):
        name = data[begin : begin + 4].decode()
        size, count = (int(word) for word in np.frombuffer(data, dtype="<u4", count=2, offset=begin + 4))
        if name == "FEAT":
            features = np.frombuffer(data, dtype=FEATURE, count=count, offset=begin + 12)
            contents += [(f"FEAT {column}", features[column]) for column in FEATURE.names or ()]
        else:
            contents.append((name, np.frombuffer(data, dtype="<u4", count=size // 4, offset=begin)))
        contents.append((f"after {name}", np.frombuffer(data[begin + size : end], dtype=np.uint8)))
    return [(name, array) for name, array in contents if array.size]
