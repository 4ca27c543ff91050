"""The libraries that Hushbit is measured against. Each search returns the one nearest code that it finds."""

import time
from collections.abc import Callable, Sequence

import annoy
import faiss
import numpy as np
from usearch.index import Index as USearchIndex
from usearch.index import MetricKind, ScalarKind

from search_bench.data import Codes
from search_bench.method import Distances, Run

_NOT_FOUND = 1 << 30


class Peer:
    """A search of one library: how to set it, and how to ask it for the distances of some queries."""

    def __init__(
        self,
        name: str,
        search: Callable[[Codes], Distances],
        settings: Sequence[str] = ("",),
        apply: Callable[[str], None] | None = None,
        exact: bool = False,
    ) -> None:
        self.name = name
        self.exact = exact
        self.settings = settings
        self._search = search
        self._apply = apply

    def run(self, setting: str, queries: Codes, batch: int, noise: float) -> Run:  # noqa: ARG002
        """Searches the queries, `batch` a call."""
        if self._apply is not None:
            self._apply(setting)
        times: list[float] = []
        distances: list[Distances] = []
        for first in range(0, len(queries) - batch + 1, batch):
            block = queries[first : first + batch]
            # As in native/bench/search_bench.cpp: other processes do not add to processor time.
            clock = time.perf_counter if batch == 1 else time.process_time
            start = clock()
            found = self._search(block)
            times.append((clock() - start) / batch)
            distances.append(found)
        return Run(float(np.median(times)) * 1e6, np.concatenate(distances))


def faiss_flat(codes: Codes) -> Peer:
    """The exhaustive search that all is compared to."""
    return Peer("faiss BinaryFlat", _searcher(_filled(faiss.IndexBinaryFlat(codes.shape[1] * 8), codes)), exact=True)


def faiss_multi_hash(codes: Codes) -> Peer:
    """Multi-index hashing; exact only where the flips it tries suffice."""
    bits = codes.shape[1] * 8
    index = _filled(faiss.IndexBinaryMultiHash(bits, bits // 16, 16), codes)
    return Peer("faiss MultiHash 16-bit", _searcher(index), ("0", "1", "2"), _setter(index, "nflip"))


def faiss_hash(codes: Codes) -> Peer:
    """One hash table over the first bits."""
    index = _filled(faiss.IndexBinaryHash(codes.shape[1] * 8, 16), codes)
    return Peer("faiss BinaryHash 16-bit", _searcher(index), ("0", "1", "2", "3", "4"), _setter(index, "nflip"))


def faiss_ivf(codes: Codes) -> Peer:
    """Clusters, of which the nearest few are searched."""
    bits, clusters = codes.shape[1] * 8, 1024
    index = faiss.IndexBinaryIVF(faiss.IndexBinaryFlat(bits), bits, clusters)
    index.cp.seed = 0
    index.train(codes)
    index.add(codes)
    probes = [str(1 << i) for i in range(11)]
    return Peer(f"faiss IVF{clusters}", _searcher(index), probes, _setter(index, "nprobe"))


def faiss_hnsw(codes: Codes) -> Peer:
    """A graph of near neighbors."""
    index = _filled(faiss.IndexBinaryHNSW(codes.shape[1] * 8, 16), codes)
    efforts = [str(1 << i) for i in range(4, 12)]
    return Peer("faiss HNSW16", _searcher(index), efforts, _setter(index.hnsw, "efSearch"))


def usearch_hnsw(codes: Codes) -> Peer:
    """A graph of near neighbors."""
    bits = codes.shape[1] * 8
    index = USearchIndex(ndim=bits, metric=MetricKind.Hamming, dtype=ScalarKind.B1, connectivity=16)
    index.add(np.arange(len(codes)), codes, threads=1)

    def search(queries: Codes) -> Distances:
        matches = index.search(queries, 1, threads=1)
        return np.asarray(matches.distances, dtype=np.uint32).ravel()

    def apply(setting: str) -> None:
        index.expansion_search = int(setting)

    return Peer("usearch HNSW16", search, [str(1 << i) for i in range(4, 12)], apply)


def annoy_forest(codes: Codes) -> Peer:
    """Trees that each ask for some bits."""
    bits = codes.shape[1] * 8
    index = annoy.AnnoyIndex(bits, "hamming")
    index.set_seed(1)
    for i, row in enumerate(_unpacked(codes)):
        index.add_item(i, row)
    index.build(20, n_jobs=1)
    nodes = [0]

    def search(queries: Codes) -> Distances:
        found = [index.get_nns_by_vector(row, 1, nodes[0], include_distances=True)[1] for row in _unpacked(queries)]
        return np.array([distances[0] if distances else _NOT_FOUND for distances in found], dtype=np.uint32)

    def apply(setting: str) -> None:
        nodes[0] = int(setting)

    return Peer("Annoy 20 trees", search, [str(1000 * 4**i) for i in range(6)], apply)


PEERS: dict[str, Callable[[Codes], Peer]] = {
    "flat": faiss_flat,
    "multihash": faiss_multi_hash,
    "hash": faiss_hash,
    "ivf": faiss_ivf,
    "hnsw": faiss_hnsw,
    "usearch": usearch_hnsw,
    "annoy": annoy_forest,
}
"""The peers by the name that --peers takes."""


def _filled(index: faiss.IndexBinary, codes: Codes) -> faiss.IndexBinary:
    index.add(codes)
    return index


def _searcher(index: faiss.IndexBinary) -> Callable[[Codes], Distances]:
    def search(queries: Codes) -> Distances:
        distances = index.search(queries, 1)[0][:, 0]
        return np.where((distances < 0) | (distances > _NOT_FOUND), _NOT_FOUND, distances).astype(np.uint32)

    return search


def _setter(target: object, attribute: str) -> Callable[[str], None]:
    return lambda setting: setattr(target, attribute, int(setting))


def _unpacked(codes: Codes) -> Sequence[Sequence[int]]:
    return [np.unpackbits(row, bitorder="little").tolist() for row in codes]
