"""Vowpal Wabbit's readable models (`--readable_model`), and workspaces made from them.

Such a file is a few lines of header, then one line `index:weight` for each weight that is not zero, printed with six
digits. The table has 2^bits indices. With `--oaa k` a hash has k weights side by side, in as many indices as the next
power of two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.atomic import atomic_file
from hushbit._plumbing.files import reading
from hushbit.errors import InputFileError, InvalidArgumentError
from hushbit.hashing.table.model import HashedModel, Rows, sorted_model

_MAX_STATE_LINES = 100
_MAX_HEADER_LINE = 1 << 20  # bytes
_READ_AT_ONCE = 1 << 20  # bytes
_MAX_BITS = 31
# Every line of a header, in this order. Reductions may add their own, such as a count for each hash (--marginal).
_HEADER = [re.compile(pattern) for pattern in (
    r"Version \d+\.\d+\.\d+", r"Id .*", r"Min label:[-+.\de]+", r"Max label:[-+.\de]+", r"bits:.*", r"lda:\d+",
    r"\d+ ngram:(?:\S+ )*", r"\d+ skip:(?:\S+ )*", r"options:.*", r"Checksum: \d+", r":0",
)]  # fmt: skip
# Options that a header keeps. They say how features are made, or turn one weight behind a hash, or k with --oaa, into
# predictions. Others may lay out weights or keep data in ways that are not known here.
_OPTIONS = frozenset({
    "affix", "binary", "bit_precision", "constant", "cubic", "dictionary", "dictionary_path", "hash", "hash_seed",
    "ignore", "ignore_linear", "interactions", "keep", "leave_duplicate_interactions", "link", "loss_function",
    "max_prediction", "min_prediction", "named_labels", "ngram", "noconstant", "oaa", "permutations",
    "probabilities", "q", "quadratic", "quantile_tau", "random_seed", "redefine", "scores", "skips", "spelling",
})  # fmt: skip
_INVERTED = re.compile(rb"[^\s:]+:\d+:-?\d")  # a line of --invert_hash


@dataclass(frozen=True, eq=False)
class VowpalFile:
    """A readable model."""

    path: Path
    model: HashedModel
    header: list[str]
    options: str
    stride: int  # indices of a hash
    format: str = "vowpal"

    def write(self, path: Path | str, rows: Rows) -> None:
        """Writes the complete readable model; every weight with six digits, as Vowpal Wabbit does."""
        used = np.arange(self.model.dimensions)
        first = 0
        with atomic_file(path) as file:
            file.write("".join(f"{line}\n" for line in self.header).encode("utf-8", "surrogateescape"))
            for block in rows:
                indices = (np.arange(first, first + len(block))[:, None] * self.stride + used).ravel()
                lines = zip(indices.tolist(), block.ravel().tolist(), strict=True)
                file.write("".join(f"{index}:{weight:.6g}\n" for index, weight in lines).encode())
                first += len(block)


def read_vowpal(path: Path) -> VowpalFile:
    """Reads a readable model. Raises InputFileError, which names the line."""
    with reading(path), path.open("rb") as file:
        header = _read_header(path, file)
        bits, options = _bits(path, header), _field(header, "options:")
        classes, stride = _layout(path, header, options, 1 << bits)
        hashes, weights = _read_weights(path, file, len(header), classes, stride)
    labels = ("1",) if classes == 1 else tuple(str(i + 1) for i in range(classes))
    try:
        model = sorted_model((1 << bits) // stride, hashes, weights, np.zeros(classes), labels)
    except InvalidArgumentError as error:
        raise InputFileError(f"{path}: {error}") from None
    return VowpalFile(path, model, header, options, stride)


def open_workspace(path: Path | str) -> Any:
    """A `vowpalwabbit.Workspace` with the weights of a readable model, to predict with, or to `save` as binary model.

    Vowpal Wabbit writes readable models but does not read them, so the weights are set one by one: seconds for a
    million. Raises InputFileError. Needs the package vowpalwabbit.
    """
    from vowpalwabbit import Workspace

    file = read_vowpal(Path(path))
    bits = _bits(file.path, file.header)
    low, high = (_field(file.header, f"{end} label:") for end in ("Min", "Max"))
    workspace = Workspace(f"{file.options} -b {bits} --min_prediction {low} --max_prediction {high} --quiet")
    for hashed, row in zip(file.model.hashes, file.model.weights, strict=True):
        for index, weight in enumerate(row.tolist(), int(hashed) * file.stride):
            workspace.set_weight(index, 0, weight)
    return workspace


def _read_header(path: Path, file: BinaryIO) -> list[str]:
    """The lines up to the one that says what follows."""
    header: list[str] = []
    for number, known in enumerate(_HEADER, 1):
        line = file.readline(_MAX_HEADER_LINE).decode("utf-8", "surrogateescape").rstrip("\r\n")
        if line == ":1":
            raise _training_state(path, file)
        if not known.fullmatch(line):
            raise _bad_header(path, number, line)
        header.append(line)
    return header


def _training_state(path: Path, file: BinaryIO) -> InputFileError:
    if any(_INVERTED.match(file.readline(_MAX_HEADER_LINE)) for _ in range(_MAX_STATE_LINES)):
        return _inverted(path)
    return InputFileError(
        f"{path}: holds what training would go on from, which tells how often each hash occurred; "
        "write the model with --predict_only_model"
    )


def _inverted(path: Path) -> InputFileError:
    return InputFileError(
        f"{path}: written with --invert_hash, so it lists the features of the training data; "
        "write the model with --readable_model FILE --predict_only_model"
    )


def _bad_header(path: Path, number: int, line: str) -> InputFileError:
    if number == 1 or not line:
        return InputFileError(
            f"{path}: not a readable model of Vowpal Wabbit 8 or 9: its header is not there; "
            "write one with --readable_model FILE --predict_only_model"
        )
    return InputFileError(
        f"{path}, line {number}: this line of the header is not known and may tell which hashes are genuine, as the "
        "counts of --marginal do; train without such options"
    )


def _field(header: list[str], name: str) -> str:
    return next((line.removeprefix(name).strip() for line in header if line.startswith(name)), "")


def _bits(path: Path, header: list[str]) -> int:
    text = _field(header, "bits:")
    if not text.isdecimal() or not 1 <= int(text) <= _MAX_BITS:
        raise InputFileError(f"{path}: the header does not say how many bits hashes have, 1 to {_MAX_BITS}")
    return int(text)


def _layout(path: Path, header: list[str], options: str, indices: int) -> tuple[int, int]:
    """Weights behind a hash, and indices from one hash to the next, of so many in all."""
    named = [name for name in re.findall(r"(?:^|\s)--?([a-zA-Z]\w*)", options) if name not in _OPTIONS]
    if named or _field(header, "lda:") != "0":
        raise InputFileError(
            f"{path}: models with --{named[0] if named else 'lda'} are not supported, as what they keep is not known; "
            "train without it"
        )
    classes = re.search(r"--oaa[ =](\d+)", options)
    count = int(classes[1]) if classes else 1
    if not 1 <= count <= indices:
        raise InputFileError(f"{path}: the header says that there are {count} classes, in {indices} indices")
    return count, 1 << (count - 1).bit_length()


def _read_weights(
    path: Path, file: BinaryIO, line: int, classes: int, stride: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Hashes and (n, classes) weights of the lines after line number `line`, some at a time."""
    parts = [(np.empty(0, dtype=np.uint32), np.empty(0, dtype=np.float32))]
    while lines := file.readlines(_READ_AT_ONCE):
        parts.append(_parse(path, lines, line))
        line += len(lines)
    at, values = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    del parts
    if (at[1:] <= at[:-1]).any():  # not as Vowpal Wabbit writes them
        order = np.argsort(at, kind="stable")
        at, values = at[order], values[order]
        if twice := int((at[1:] == at[:-1]).sum()):
            raise InputFileError(f"{path}: {twice} indices occur twice")
    if (at % stride >= classes).any():
        raise InputFileError(f"{path}: has weights of classes beyond {classes}")
    hashes = at // stride
    rows = np.cumsum(np.diff(hashes, prepend=hashes[:1]) != 0, dtype=np.int32)
    hashes = np.unique(hashes).astype(np.int64)
    table = np.zeros((len(hashes), classes), dtype=np.float32)
    for first in range(0, len(at), _READ_AT_ONCE):
        window = slice(first, first + _READ_AT_ONCE)
        table[rows[window], at[window] % stride] = values[window]
    return hashes, table


def _parse(path: Path, lines: list[bytes], before: int) -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
    indices: list[int] = []
    weights: list[float] = []
    for number, line in enumerate(lines, before + 1):
        index, colon, weight = line.partition(b":")
        if not colon and not index.strip():
            continue
        try:
            indices.append(int(index))
            weights.append(float(weight))
            if not 0 <= indices[-1] < 1 << 32:
                raise ValueError
        except ValueError:
            if _INVERTED.match(line):
                raise _inverted(path) from None
            raise InputFileError(f"{path}, line {number}: expected index:weight, one weight a line") from None
    with np.errstate(over="ignore"):  # infinite weights are refused with the model
        return np.array(indices, dtype=np.uint32), np.array(weights, dtype=np.float64).astype(np.float32)
