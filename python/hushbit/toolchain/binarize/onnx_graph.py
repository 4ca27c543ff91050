"""The ONNX graph of a binarizer: raw float32 vectors in, packed codes and scores out.

It computes in double precision, like the binarizer, so both agree on every bit whose score is not within a rounding
error of 0. The arrays of the binarizer are initializers with the same names.
"""

from typing import Any

import numpy as np

from hushbit.toolchain.binarize.base import Binarizer
from hushbit.toolchain.binarize.neighborhood import LEAST_WEIGHT, NeighborhoodBinarizer

OPSET = 17
_IR_VERSION = 8  # the version of opset 17, which older runtimes read
CONSTANT = "constant_"
"""The prefix of the names of initializers that are not arrays of the binarizer."""


class _Graph:
    """The nodes and initializers that were added."""

    def __init__(self, binarizer: Binarizer) -> None:
        import onnx

        self._onnx = onnx
        self.nodes: list[Any] = []
        self.initializers = [onnx.numpy_helper.from_array(a, name) for name, a in binarizer.arrays().items()]

    def constant(self, name: str, value: Any) -> str:
        full = CONSTANT + name
        self.initializers.append(self._onnx.numpy_helper.from_array(np.asarray(value), full))
        return full

    def add(self, operator: str, inputs: list[str], outputs: list[str] | str, **attributes: Any) -> str:
        """Adds a node and returns the name of its first output."""
        names = [outputs] if isinstance(outputs, str) else outputs
        self.nodes.append(self._onnx.helper.make_node(operator, inputs, names, name=names[0], **attributes))
        return names[0]


def build_model(binarizer: Binarizer, metadata: dict[str, str]) -> Any:
    """An `onnx.ModelProto`, checked. Needs the package onnx."""
    import onnx
    from onnx import TensorProto, helper

    graph = _Graph(binarizer)
    graph.add("Cast", ["vectors"], "raw", to=TensorProto.DOUBLE)
    graph.add("Sub", ["raw", "mean"], "centered")
    if isinstance(binarizer, NeighborhoodBinarizer):
        _neighborhood(graph, binarizer)
    else:
        graph.add("Transpose", ["directions"], "columns", perm=[1, 0])
        graph.add("MatMul", ["centered", "columns"], "scores")
    _pack(graph, binarizer.bits)
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "hushbit_encoder",
            [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["words", binarizer.dimensions])],
            [
                helper.make_tensor_value_info("codes", TensorProto.UINT8, ["words", binarizer.bits // 8]),
                helper.make_tensor_value_info("scores", TensorProto.DOUBLE, ["words", binarizer.bits]),
            ],
            graph.initializers,
        ),
        producer_name="hushbit",
        ir_version=_IR_VERSION,
        opset_imports=[helper.make_opsetid("", OPSET)],
    )
    helper.set_model_props(model, metadata)
    onnx.checker.check_model(model, full_check=True)
    return model


def _pack(graph: _Graph, bits: int) -> None:
    from onnx import TensorProto

    graph.add("Greater", ["scores", graph.constant("zero", 0.0)], "signs")
    graph.add("Cast", ["signs"], "bits", to=TensorProto.FLOAT)
    shape = graph.constant("bytes_shape", np.array([-1, bits // 8, 8], dtype=np.int64))
    graph.add("Reshape", ["bits", shape], "bytes_of_bits")
    powers = graph.constant("powers", (2.0 ** np.arange(8)).astype(np.float32))  # bit 0 is the least significant
    graph.add("MatMul", ["bytes_of_bits", powers], "bytes")
    graph.add("Cast", ["bytes"], "codes", to=TensorProto.UINT8)


def _neighborhood(graph: _Graph, binarizer: NeighborhoodBinarizer) -> None:
    """The same computation as NeighborhoodBinarizer._scores, line by line."""
    from onnx import TensorProto

    nearest = binarizer.nearest
    last = graph.constant("last_axis", np.array([1], dtype=np.int64))
    graph.add("MatMul", ["centered", "basis"], "kept")
    graph.add("ReduceL2", ["kept"], "lengths", axes=[1], keepdims=1)
    graph.add("Max", ["lengths", graph.constant("least_length", 1e-12)], "safe_lengths")
    graph.add("Div", ["kept", "safe_lengths"], "x")
    graph.add("Transpose", ["anchors"], "anchor_columns", perm=[1, 0])
    graph.add("MatMul", ["x", "anchor_columns"], "similarities")
    count = graph.constant("count", np.array([nearest + 1], dtype=np.int64))
    graph.add("TopK", ["similarities", count], ["values", "ids"], axis=1, largest=1, sorted=1)
    split = graph.constant("split", np.array([nearest, 1], dtype=np.int64))
    graph.add("Split", ["values", split], ["near_values", "next_value"], axis=1)
    graph.add("Split", ["ids", split], ["near_ids", "next_id"], axis=1)
    graph.add("Sub", ["near_values", "next_value"], "leads")
    graph.add("Max", ["leads", graph.constant("least_weight", LEAST_WEIGHT)], "raw_weights")
    graph.add("ReduceL2", ["raw_weights"], "weights_length", axes=[1], keepdims=1)
    graph.add("Div", ["raw_weights", "weights_length"], "weights")
    graph.add("Gather", ["codewords", "near_ids"], "near_codewords", axis=0)
    graph.add("Cast", ["near_codewords"], "near_signs", to=TensorProto.DOUBLE)
    middle = graph.constant("weights_axis", np.array([2], dtype=np.int64))
    graph.add("Unsqueeze", ["weights", middle], "column_weights")
    graph.add("Mul", ["near_signs", "column_weights"], "weighted")
    graph.add("ReduceSum", ["weighted", last], "from_codewords", keepdims=0)
    ties = binarizer.bits - binarizer.codewords.shape[1]
    graph.add("Pad", ["from_codewords", graph.constant("pads", np.array([0, 0, 0, ties], dtype=np.int64))], "padded")
    graph.add("Transpose", ["directions"], "columns", perm=[1, 0])
    graph.add("MatMul", ["x", "columns"], "projected")
    graph.add("Add", ["padded", "projected"], "scores")
