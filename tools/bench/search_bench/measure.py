"""One table of results: every method at every noise level, interleaved, so that a busy machine is unfair to none."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from search_bench.data import Codes, queries_of
from search_bench.method import Distances, Method, Run

BATCH = 200
_ROUNDS = 5
_TUNING_QUERIES = 300
_WANTED_RECALL = 0.96
_TOO_SLOW = 30  # times the exhaustive search: no more thorough setting is tried


@dataclass
class Result:
    """The result of one method at one noise level."""

    method: str
    noise: float
    setting: str
    recall: float
    """Share of queries for which a nearest code was found."""
    one: float
    """Microseconds a query, one a call: the median over rounds of medians."""
    batch: float
    """Microseconds of processor time a query, BATCH a call."""
    ratio_one: float = 0.0
    """How many times faster than the exhaustive search, one a call."""
    ratio_batch: float = 0.0
    work: dict[str, float] = field(default_factory=dict)


def measure(codes: Codes, methods: Sequence[Method], noise: float) -> list[Result]:
    """Results of all methods, of which the first is the exhaustive search that tells the truth."""
    queries = queries_of(codes, noise, _ROUNDS * BATCH)
    truth = np.concatenate([methods[0].run("", block, BATCH, noise).distances for block in np.split(queries, _ROUNDS)])
    settings = [
        _tune(method, methods[0], queries[:_TUNING_QUERIES], truth[:_TUNING_QUERIES], noise) for method in methods
    ]
    ones: list[list[Run]] = [[] for _ in methods]
    batches: list[list[Run]] = [[] for _ in methods]
    for block in np.split(queries, _ROUNDS):
        for method, setting, one, batch in zip(methods, settings, ones, batches, strict=True):
            one.append(method.run(setting, block, 1, noise))
            batch.append(method.run(setting, block, BATCH, noise))
    results = [
        _summarize(method, noise, setting, one, batch, truth)
        for method, setting, one, batch in zip(methods, settings, ones, batches, strict=True)
    ]
    for result in results:
        result.ratio_one = results[0].one / result.one
        result.ratio_batch = results[0].batch / result.batch
    return results


def _tune(method: Method, flat: Method, queries: Codes, truth: Distances, noise: float) -> str:
    """The first setting that finds enough, or the last one that is not hopelessly slow."""
    if len(method.settings) == 1:
        return method.settings[0]
    slow = _TOO_SLOW * flat.run("", queries[:10], 1, noise).microseconds
    for setting in method.settings:
        run = method.run(setting, queries[:10], 1, noise)
        if run.microseconds > slow:
            return setting
        if _recall(method.run(setting, queries, 1, noise).distances, truth) >= _WANTED_RECALL:
            return setting
    return method.settings[-1]


def _recall(found: Distances, truth: Distances) -> float:
    return float(np.mean(found == truth))


def _summarize(
    method: Method, noise: float, setting: str, ones: Sequence[Run], batches: Sequence[Run], truth: Distances
) -> Result:
    for runs in (ones, batches):
        found = np.concatenate([run.distances for run in runs])
        recall = _recall(found, truth)
        if method.exact and recall < 1:
            raise AssertionError(f"{method.name} missed the nearest code of {(found != truth).sum()} queries")
    return Result(
        method.name,
        noise,
        setting,
        recall,
        float(np.median([run.microseconds for run in ones])),
        float(np.median([run.microseconds for run in batches])),
        work={name: float(np.mean([run.work[name] for run in ones])) for name in ones[0].work},
    )
