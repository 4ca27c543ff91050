"""Opening a model of any known format."""

from __future__ import annotations

from pathlib import Path

from hushbit._plumbing.files import reading
from hushbit.errors import InputFileError, InvalidArgumentError
from hushbit.hashing.formats import MODEL_FORMATS
from hushbit.hashing.table.model import ModelFile

_PICKLE_STARTS = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")


def open_model(path: Path | str, *, format: str | None = None, size: int | None = None) -> ModelFile:  # noqa: A002
    """Reads a model: of `format`, one of MODEL_FORMATS, or of what its first bytes and its name say.

    `size` is the number of hashes, which CRFsuite models do not say and others may confirm. Files are read as data: no
    code in them runs. Raises InputFileError for what is not a model, and InvalidArgumentError if `size` is missing or
    another than the file's.
    """
    path = Path(path)
    if format is not None and format not in MODEL_FORMATS:
        raise InvalidArgumentError(f"there is no format '{format}'; choose one of {', '.join(MODEL_FORMATS)}")
    kind = format or _recognize(path)
    file = _read(path, kind, size)
    if size is not None and file.model.range != size:
        raise InvalidArgumentError(f"{path}: has {file.model.range} hashes, not {size}")
    return file


def _read(path: Path, kind: str, size: int | None) -> ModelFile:
    if kind == "npz":
        from hushbit.hashing.formats.npz import read_npz

        return read_npz(path)
    if kind == "skops":
        from hushbit.hashing.formats.skops_file import read_skops

        return read_skops(path)
    if kind == "vowpal":
        from hushbit.hashing.formats.vowpal import read_vowpal

        return read_vowpal(path)
    from hushbit.hashing.formats.crfsuite import read_crfsuite

    return read_crfsuite(path, size)


def _recognize(path: Path) -> str:
    with reading(path), path.open("rb") as file:
        start = file.read(16)
    if start.startswith(b"lCRF"):
        return "crfsuite"
    if start.startswith(b"Version "):
        return "vowpal"
    if start.startswith(b"PK"):
        return "skops" if path.suffix == ".skops" else "npz"
    if start.startswith(_PICKLE_STARTS):
        raise InputFileError(
            f"{path}: is a pickle, and reading one runs the code in it; save the model with skops or numpy.savez"
        )
    raise InputFileError(
        f"{path}: not a .skops or .npz file, a readable model of Vowpal Wabbit, or a CRFsuite model; "
        "a binary Vowpal Wabbit model must be written with --readable_model FILE --predict_only_model"
    )
