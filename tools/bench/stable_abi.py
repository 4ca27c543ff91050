"""Times the same calls of three modules, which tools/bench/stable_abi builds: stable_abi.py BUNDLE.

Each figure is the least of many runs, in which the modules take turns.
"""

import importlib
import platform
import sys
import timeit
from collections.abc import Callable
from typing import Any

import numpy as np

MODULES = ["by_pybind11", "by_nanobind", "by_stable_abi"]
EPSILON = 1.0
WORD = b"station"
TEXT = b"could you please call me back when you have left the station and tell my mother that the train is late"
FIELDS = ["epsilon", "average", "worst_case", "words", "unknown", "dropped", "verbatim", "public_words"]
BATCH = 1000
TURNS = 15


def calls(module: Any, bundle: str) -> dict[str, tuple[Callable[[], object], int]]:
    """What is timed, and how often it is called in a turn."""
    privatizer = module.Privatizer(bundle, EPSILON)
    offsets = np.arange(BATCH + 1, dtype=np.int64) * len(WORD)
    data = WORD * BATCH

    def text_and_cost(text: bytes) -> list[object]:
        """As hushbit.Privatizer.privatize reads them."""
        result = privatizer.privatize(text)
        cost = result.cost
        return [result.text, *(getattr(cost, name) for name in FIELDS)]

    return {
        "a call that does nothing": (lambda: module.nothing(WORD), 20000),
        "privatize a word": (lambda: privatizer.privatize(WORD), 2000),
        "privatize a word, read text and cost": (lambda: text_and_cost(WORD), 2000),
        f"privatize a text of {len(TEXT.split())} words, read text and cost": (lambda: text_and_cost(TEXT), 200),
        "the same, and read its tokens": (lambda: privatizer.privatize(TEXT).rows, 200),
        f"a batch of {BATCH} words": (lambda: privatizer.privatize_batch(offsets, data), 2),
    }


def main() -> int:
    """Prints a table: microseconds of each call, and its ratio to pybind11's."""
    of_modules = [calls(importlib.import_module(name), sys.argv[1]) for name in MODULES]
    print(f"Python {platform.python_version()}, {platform.machine()}: microseconds a call, and the ratio to the first")
    print(f"{'':<55} {'   '.join(f'{name:>16}' for name in MODULES)}")
    for name in of_modules[0]:
        best = [float("inf")] * len(MODULES)
        for _ in range(TURNS):
            for i, of_module in enumerate(of_modules):
                call, times = of_module[name]
                best[i] = min(best[i], timeit.timeit(call, number=times) / times)
        parts = "   ".join(f"{time * 1e6:9.3f} {time / best[0]:6.2f}" for time in best)
        print(f"{name:<55} {parts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
