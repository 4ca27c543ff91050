"""The hash that identifies an encoder."""

import hashlib
import json

import numpy as np

from hushbit.toolchain.binarize.base import Binarizer


def encoder_hash(binarizer: Binarizer) -> str:
    """SHA-256, in hex, of everything that determines codes: kind, description and arrays (docs/bundle-format.md).

    It covers the learned numbers in little-endian form, with names, types and shapes. It does not cover a file, whose
    bytes depend on the library that writes it.
    """
    digest = hashlib.sha256()
    document = {"kind": binarizer.kind, **binarizer.describe()}
    digest.update(json.dumps(document, sort_keys=True, separators=(",", ":")).encode())
    for name, array in sorted(binarizer.arrays().items()):
        little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
        digest.update(f"\n{name} {little.dtype.str} {little.shape}\n".encode())
        digest.update(little.tobytes())
    return digest.hexdigest()
