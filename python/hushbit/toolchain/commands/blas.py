"""How many threads numpy's matrices use."""

import os

# Of OpenBLAS, which numpy's wheels bring, of MKL and of Apple's Accelerate.
_VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def use_one_thread() -> None:
    """Makes sums come out alike however many processors there are, if it is called before numpy is imported.

    Several threads add up in another order. What is learned then differs in its last bits, and codes with it. The
    matrices are so small that one thread is not slower.
    """
    for variable in _VARIABLES:
        os.environ[variable] = "1"
