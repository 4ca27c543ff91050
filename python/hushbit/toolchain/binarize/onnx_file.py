"""Encoders as ONNX files: written for any runtime, and read back as the original binarizer."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushbit._plumbing.extras import extra
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.errors import InputFileError, InvalidArgumentError
from hushbit.toolchain.binarize.base import Binarizer, Vectors
from hushbit.toolchain.binarize.identity import encoder_hash
from hushbit.toolchain.binarize.linear import LinearBinarizer
from hushbit.toolchain.binarize.neighborhood import NeighborhoodBinarizer
from hushbit.toolchain.binarize.onnx_graph import CONSTANT, OPSET, build_model
from hushbit.toolchain.binarize.preprocessing import Preprocessing

THRESHOLD_MARGIN = 1e-6
"""Scores nearer to 0 than this are reported: another runtime could round them to the other side."""
BIT_ORDER = "bit i of a code is bit i % 8, from the least significant, of byte i / 8"
_FORMAT = "hushbit-encoder-1"
_BLOCK_ROWS = 512


def encoder_bytes(binarizer: Binarizer) -> bytes:
    """The encoder as an ONNX file: input `vectors`, float32; outputs `codes`, uint8, and `scores`, double."""
    require_onnx()
    metadata = {
        "format": _FORMAT,
        "kind": binarizer.kind,
        "binarizer": json.dumps(binarizer.describe(), sort_keys=True),
        "bits": str(binarizer.bits),
        "bit_order": BIT_ORDER,
        "opset": str(OPSET),
        "encoder_sha256": encoder_hash(binarizer),
    }
    return bytes(build_model(binarizer, metadata).SerializeToString(deterministic=True))


def read_encoder(path: Path) -> Binarizer:
    """Reads a file that `encoder_bytes` made, and compares the hash. Raises InputFileError for anything else."""
    require_onnx()
    import onnx
    from google.protobuf.message import DecodeError

    try:
        model = onnx.load_model_from_string(path.read_bytes())
    except DecodeError:
        raise InputFileError(f"{path}: not an ONNX file") from None
    metadata = {entry.key: entry.value for entry in model.metadata_props}
    if metadata.get("format") != _FORMAT:
        raise InputFileError(f"{path}: not an encoder of `hushbit export --encoder`")
    arrays = {
        tensor.name: onnx.numpy_helper.to_array(tensor)
        for tensor in model.graph.initializer
        if not tensor.name.startswith(CONSTANT)
    }
    try:
        binarizer = _restore(metadata["kind"], json.loads(metadata["binarizer"]), arrays)
        good = encoder_hash(binarizer) == metadata["encoder_sha256"]
    except (KeyError, ValueError, TypeError):
        good = False
    if not good:
        raise InputFileError(f"{path}: the encoder does not match the hash with which it was exported; export it again")
    return binarizer


def _restore(kind: str, described: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Binarizer:
    seed, parameters = described["seed"], described["parameters"]
    if kind == LinearBinarizer.kind:
        return LinearBinarizer(described["name"], seed, parameters, arrays["mean"], arrays["directions"])
    if kind == NeighborhoodBinarizer.kind:
        preprocessing = Preprocessing(arrays["mean"], arrays["basis"])
        rest = arrays["anchors"], arrays["codewords"], arrays["directions"]
        return NeighborhoodBinarizer(seed, parameters, preprocessing, *rest, name=described["name"])
    raise ValueError(kind)


class OnnxEncoder:
    """Runs an encoder with ONNX Runtime; needs onnxruntime and no other large package."""

    def __init__(self, path: Path) -> None:
        with extra("encode"):
            import onnxruntime
        data = path.read_bytes()
        try:
            self._session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
        except Exception:  # its errors have no common class
            raise InputFileError(f"{path}: ONNX Runtime cannot read it as an encoder") from None
        metadata = self._session.get_modelmeta().custom_metadata_map
        if metadata.get("format") != _FORMAT:
            raise InputFileError(f"{path}: not an encoder of `hushbit export --encoder`")
        self.bits = int(metadata["bits"])
        self.hash = metadata["encoder_sha256"]
        self.dimensions = int(self._session.get_inputs()[0].shape[1])

    def encode(self, vectors: Vectors, progress: Progress = no_progress) -> tuple[NDArray[np.uint8], int]:
        """Packed codes, and the number of bits with a score within THRESHOLD_MARGIN of 0."""
        if vectors.shape[1] != self.dimensions:
            raise InvalidArgumentError(
                f"the encoder takes vectors of {self.dimensions} dimensions; these have {vectors.shape[1]}"
            )
        codes = np.empty((len(vectors), self.bits // 8), dtype=np.uint8)
        near = 0
        for first, block in _blocks(vectors):
            codes[first : first + len(block)], scores = self._session.run(["codes", "scores"], {"vectors": block})
            near += int((np.abs(scores) < THRESHOLD_MARGIN).sum())
            progress(first + len(block), len(vectors), "encode")
        return codes, near


def _blocks(vectors: Vectors) -> Iterator[tuple[int, Vectors]]:
    for first in range(0, len(vectors), _BLOCK_ROWS):
        yield first, np.ascontiguousarray(vectors[first : first + _BLOCK_ROWS])


def require_onnx() -> None:
    """Raises MissingPackageError if the package onnx is not installed."""
    with extra("encode"):
        import onnx  # noqa: F401 - only whether it is there
