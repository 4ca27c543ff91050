"""Pieces of work run side by side, so each keeps to one processor, and sums in an order that does not vary."""

import torch


def one_thread_each() -> None:
    """For the thread that calls it: torch, faiss and BLAS work on one processor."""
    import faiss
    from threadpoolctl import threadpool_limits

    torch.set_num_threads(1)
    faiss.omp_set_num_threads(1)
    threadpool_limits(1)
