"""Makes pieces of work that run side by side draw and sum the same, whichever others run."""

import hashlib


def seed_of(seed: int, *names: object) -> int:
    """A number below 2^63 that depends on every name and its place.

    So a piece of work draws the same whichever others run, in whatever order and on however many processors.
    """
    text = "\0".join([str(seed), *map(repr, names)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little") >> 1


def one_thread_each() -> None:
    """Makes torch, faiss and BLAS work on one processor, and sum in the same order always, for the thread that calls
    it.
    """
    import faiss
    import torch
    from threadpoolctl import threadpool_limits

    torch.set_num_threads(1)
    faiss.omp_set_num_threads(1)
    threadpool_limits(1)
