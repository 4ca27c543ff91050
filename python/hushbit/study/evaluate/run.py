"""The whole evaluation: pieces of work, some at a time, each kept as soon as it is finished."""

import os
import platform
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from hushbit._plumbing.locks import open_folder_to_lock, try_lock
from hushbit._plumbing.parallel import processors
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.errors import StorageFailedError
from hushbit.study.evaluate.inputs import Inputs
from hushbit.study.evaluate.inversion import run_inversion
from hushbit.study.evaluate.reading import Attacked, run_reading
from hushbit.study.evaluate.reproducible import one_thread_each
from hushbit.study.evaluate.results import (
    TIMING_KEY,
    Results,
    attained_key,
    inversion_key,
    pairs_key,
    reading_key,
    trial_key,
)
from hushbit.study.evaluate.timing import measure
from hushbit.study.evaluate.trial import Tick, run_attained, run_pairs, run_trial, typed_shadows

Work = Callable[[Tick], dict[str, Any]]

_WAIT = 1.0
"""The longest wait in seconds. An interrupt that comes just before a wait begins is noticed only when the wait ends."""


def context_of(inputs: Inputs) -> dict[str, Any]:
    """Distances of words, coverage of the text, settings, machine."""
    return {
        "trials": inputs.options.trials,
        "settings": [asdict(setting) for setting in inputs.settings],
        "distances": inputs.distances.document(),
        "coverage": {**asdict(inputs.coverage), "unknown_share": inputs.coverage.unknown_share},
        "machine": machine(),
    }


def machine() -> dict[str, Any]:
    """The processor's model, how many of them this process may use, the memory, the system."""
    return {
        "processor": _processor(),
        "processors": processors(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
    }


def _processor() -> str:
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        for line in listing.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


class _StoppedError(Exception):
    """Ends a piece of work that nobody waits for anymore."""


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Allows one run at a time in a folder: two would overwrite each other's results.

    The end of a process releases the lock. Raises StorageFailedError if another has it.
    """
    descriptor = open_folder_to_lock(folder)
    try:
        if not try_lock(descriptor):
            raise StorageFailedError(f"{folder}: another run writes to it: wait for that one, or name another folder")
        yield
    finally:
        os.close(descriptor)


def evaluate(inputs: Inputs, folder: Path, jobs: int, progress: Progress = no_progress) -> dict[str, Any]:
    """Does what `folder`/results.json does not hold yet, and returns the document.

    The same inputs give the same figures on whatever number of `jobs`; only measured seconds differ.
    """
    with folder_lock(folder):
        results = Results(folder, inputs.protocol(), context_of(inputs))
        results.write()
        work = {key: piece for key, piece in _work(inputs).items() if key not in results}
        if work:
            _run(work, results, jobs, progress)
        if TIMING_KEY not in results and "timing" not in inputs.options.skip:
            results.add(TIMING_KEY, measure(inputs, progress))  # nothing else competes for the processors now
    return results.document()


def _work(inputs: Inputs) -> dict[str, Work]:
    """Pieces by name: the first trial of everything, the attacks on words, then the other trials.

    In this order, what has been done when a run is interrupted can be compared.
    """
    work: dict[str, Work] = {}
    shadows = typed_shadows(inputs)
    for trial in range(inputs.options.trials):
        for setting in (None, *inputs.settings):
            work[trial_key(trial, setting)] = partial(run_trial, inputs, shadows, setting, trial)
        if trial == 0:
            if inputs.pairs is not None:
                for setting in (None, *inputs.settings):
                    work[pairs_key(setting)] = partial(run_pairs, inputs, inputs.pairs, setting)
            for setting in inputs.settings if "attained" not in inputs.options.skip else ():
                work[attained_key(setting)] = partial(run_attained, inputs, setting)
            attacked = Attacked(inputs)
            for setting in inputs.settings if "reading" not in inputs.options.skip else ():
                work[reading_key(setting)] = partial(run_reading, attacked, inputs, setting)
            for setting in inputs.settings if "inversion" not in inputs.options.skip else ():
                work[inversion_key(setting)] = partial(run_inversion, inputs, setting)
    return work


def _run(work: dict[str, Work], results: Results, jobs: int, progress: Progress) -> None:
    """Runs the work. Results are added from this thread only; workers end soon once it is interrupted."""
    stop = threading.Event()

    def tick() -> None:
        if stop.is_set():
            raise _StoppedError

    executor = ThreadPoolExecutor(jobs, initializer=one_thread_each)
    names: dict[Future[dict[str, Any]], str] = {}
    try:
        names = {executor.submit(piece, tick): name for name, piece in work.items()}
        waiting = set(names)
        progress(0, len(work), "evaluate")
        while waiting:
            finished, waiting = wait(waiting, timeout=_WAIT, return_when=FIRST_COMPLETED)
            for future in finished:
                results.add(names[future], future.result())
            if finished:
                progress(len(work) - len(waiting), len(work), "evaluate")
    finally:
        stop.set()
        executor.shutdown(cancel_futures=True)
