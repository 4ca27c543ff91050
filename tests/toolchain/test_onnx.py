"""Encoders as ONNX files: the same bits from numpy, ONNX Runtime and torch, and back."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray

import hushbit
from cli_runner import run_here
from hushbit.errors import InputFileError, InvalidArgumentError
from hushbit.toolchain import binarize
from hushbit.toolchain.binarize.neighborhood import NeighborhoodBinarizer
from hushbit.toolchain.binarize.onnx_file import THRESHOLD_MARGIN, OnnxEncoder, encoder_bytes, read_encoder
from hushbit.toolchain.binarize.preprocessing import Preprocessing
from hushbit.toolchain.embeddings import read_embeddings
from reference.torch_encoder import torch_scores

METHODS = sorted(binarize.METHODS)


def gaussian(count: int = 1500, dimensions: int = 20) -> NDArray[np.float32]:
    return np.random.default_rng(0).normal(size=(count, dimensions)).astype(np.float32) + 1


def written(binarizer: binarize.Binarizer, folder: Path) -> Path:
    path = folder / "encoder.onnx"
    path.write_bytes(encoder_bytes(binarizer))
    return path


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("bits", [64, 256])
def test_three_runtimes_give_the_same_bits_on_every_word(method: str, bits: int, tmp_path: Path) -> None:
    vectors = read_embeddings("glove-6b-50d", max_words=6000).vectors
    binarizer = binarize.fit(method, vectors, bits=bits)
    scores = binarizer.scores(vectors)
    codes, near = OnnxEncoder(written(binarizer, tmp_path)).encode(vectors)
    assert near == (np.abs(scores) < THRESHOLD_MARGIN).sum()
    by_torch = torch_scores(binarizer, vectors)
    ours = np.unpackbits(binarize.encode(binarizer, vectors), axis=1, bitorder="little")
    near_threshold = np.abs(scores) < THRESHOLD_MARGIN
    for theirs in (np.unpackbits(codes, axis=1, bitorder="little"), by_torch > 0):
        different = ours != theirs
        assert not different[~near_threshold].any()
        assert different.sum() <= near
    assert near < 50  # of 6000 · bits: the margin is a millionth


@pytest.mark.parametrize("method", METHODS)
def test_an_encoder_read_back_is_the_same(method: str, tmp_path: Path) -> None:
    binarizer = binarize.fit(method, gaussian(), bits=64, seed=5)
    path = written(binarizer, tmp_path)
    back = read_encoder(path)
    assert binarize.encoder_hash(back) == binarize.encoder_hash(binarizer) == OnnxEncoder(path).hash
    assert back.describe() == binarizer.describe()
    np.testing.assert_array_equal(back.encode(gaussian()), binarizer.encode(gaussian()))
    assert encoder_bytes(back) == path.read_bytes()


def test_the_hash_does_not_depend_on_the_file(tmp_path: Path) -> None:
    """The same numbers in another file: other metadata, order and encoding of the arrays, an archive of numpy."""
    binarizer = binarize.fit("neighborhood", gaussian(), bits=64)
    path = written(binarizer, tmp_path)
    model = onnx.load(path)
    model.producer_name, model.producer_version, model.doc_string = "another", "9.9", "said by another library"
    model.graph.name = "renamed"
    tensors = [onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer]
    names = [tensor.name for tensor in model.graph.initializer]
    del model.graph.initializer[:]
    for name, array in reversed(list(zip(names, tensors, strict=True))):
        flat = array.ravel().tolist()
        kind = onnx.helper.np_dtype_to_tensor_dtype(array.dtype)
        model.graph.initializer.append(onnx.helper.make_tensor(name, kind, array.shape, flat))  # numbers, not raw bytes
    entry = model.metadata_props.add()
    entry.key, entry.value = "framework", "another"
    before = path.read_bytes()
    onnx.save(model, path)
    assert path.read_bytes() != before
    assert binarize.encoder_hash(read_encoder(path)) == binarize.encoder_hash(binarizer) == OnnxEncoder(path).hash
    learned: dict[str, Any] = binarizer.arrays()
    np.savez_compressed(tmp_path / "arrays.npz", **learned)
    with np.load(tmp_path / "arrays.npz") as arrays:
        again = NeighborhoodBinarizer(
            0,
            binarizer.describe()["parameters"],
            Preprocessing(arrays["mean"], arrays["basis"]),
            arrays["anchors"],
            arrays["codewords"],
            arrays["directions"],
        )
    assert binarize.encoder_hash(again) == binarize.encoder_hash(binarizer)


def test_what_the_file_says(tmp_path: Path) -> None:
    model = onnx.load(written(binarize.fit("autoencoder", gaussian(), bits=64), tmp_path))
    onnx.checker.check_model(model, full_check=True)
    said = {entry.key: entry.value for entry in model.metadata_props}
    assert (said["bits"], said["opset"]) == ("64", "17")
    assert "bit i % 8, from the least significant" in said["bit_order"]
    assert json.loads(said["binarizer"])["name"] == "autoencoder"
    assert [entry.version for entry in model.opset_import] == [17]


def test_a_changed_encoder_is_refused(tmp_path: Path) -> None:
    path = written(binarize.fit("itq", gaussian(), bits=64), tmp_path)
    model = onnx.load(path)
    mean = next(tensor for tensor in model.graph.initializer if tensor.name == "mean")
    changed = onnx.numpy_helper.to_array(mean).copy()
    changed[0] += 1e-9
    mean.CopyFrom(onnx.numpy_helper.from_array(changed, "mean"))
    onnx.save(model, path)
    with pytest.raises(InputFileError, match="does not match the hash"):
        read_encoder(path)


@pytest.mark.parametrize("content", [b"", b"not ONNX", b"\x00" * 100])
def test_other_files_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "encoder.onnx"
    path.write_bytes(content)
    for reader in (read_encoder, OnnxEncoder):
        with pytest.raises(InputFileError, match=r"encoder\.onnx"):
            reader(path)


def test_vectors_of_other_dimensions(tmp_path: Path) -> None:
    encoder = OnnxEncoder(written(binarize.fit("projection", gaussian(), bits=64), tmp_path))
    with pytest.raises(InvalidArgumentError, match="20 dimensions; these have 19"):
        encoder.encode(gaussian(3, 19))


def test_new_words_get_codes_in_an_old_space(tmp_path: Path) -> None:
    vectors = gaussian()
    for name, rows in (("old", slice(0, 1000)), ("new", slice(900, 1500))):
        np.save(tmp_path / f"{name}.npy", vectors[rows])
        text = "".join(f"{chr(97 + i // 100)}{i % 100}\n" for i in range(1500)[rows])
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")

    def command(*arguments: str, code: int = 0) -> str:
        done = run_here(*arguments, cwd=tmp_path)
        assert done.returncode == code, done.stderr
        return (done.stdout or done.stderr).decode()

    command("export", "--embeddings", "old.npy", "--bits", "64", "--encoder", "e.onnx", "-o", "old.hushbit")
    command("export", "--embeddings", "new.npy", "--encoder-from", "e.onnx", "-o", "new.hushbit")
    report = json.loads(
        command("encode", "--encoder", "e.onnx", "--embeddings", "new.npy", "-o", "codes.npy", "--json")
    )
    old, new = hushbit.open(tmp_path / "old.hushbit"), hushbit.open(tmp_path / "new.hushbit")
    assert old.meta["binarizer"] == new.meta["binarizer"]
    assert old.meta["binarizer"]["encoder_sha256"] == report["encoder_sha256"]
    codes = np.load(tmp_path / "codes.npy")
    for row, word in zip(codes, (tmp_path / "codes.txt").read_text(encoding="utf-8").split(), strict=True):
        np.testing.assert_array_equal(new.code(word), row)
        if word in old:
            np.testing.assert_array_equal(old.code(word), row)
    other = ("--embeddings", "new.npy", "--encoder-from", "e.onnx", "-o", "x.hushbit")
    assert "takes the place of --binarizer" in command("export", *other, "--binarizer", "itq", code=2)
    assert "makes codes of 64 bits, not 128" in command("export", *other, "--bits", "128", code=2)
    assert "must end in .npy" in command("encode", "--encoder", "e.onnx", "--embeddings", "new.npy", "-o", "x", code=1)
    assert "e2.onnx" in command("export", "--embeddings", "new.npy", "--encoder-from", "e2.onnx", "-o", "x", code=3)
