"""Random orthogonal directions."""

import numpy as np
from numpy.typing import NDArray


def random_rotation(dimensions: int, generator: np.random.Generator) -> NDArray[np.float64]:
    """An orthogonal matrix, uniform over all of them."""
    q, r = np.linalg.qr(generator.standard_normal((dimensions, dimensions)))
    rotation: NDArray[np.float64] = q * np.sign(np.diag(r))  # the signs make it uniform (Mezzadri, 2007)
    return rotation


def orthogonal_blocks(bits: int, dimensions: int, generator: np.random.Generator) -> NDArray[np.float64]:
    """(bits, dimensions): blocks of orthonormal rows, as many rows a block as there are dimensions."""
    blocks = [random_rotation(dimensions, generator).T for _ in range(0, bits, dimensions)]
    return np.concatenate(blocks)[:bits]
