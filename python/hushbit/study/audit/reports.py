"""Checks of reports: the bound for every pair of texts from the integers, sets, recomputed reports, frequencies."""

from collections.abc import Callable
from functools import partial

import numpy as np

from hushbit import _core
from hushbit._plumbing.progress import Progress, no_progress
from hushbit.study.audit.check import POWER, Check
from hushbit.study.audit.coins import Coin, released_check
from hushbit.study.audit.draws import chi_square_check
from hushbit.study.audit.power import noticed_share
from hushbit.study.audit.recompute import WORD
from hushbit.study.audit.run import AuditOptions
from hushbit.study.mechanisms.report import ReportMechanism

_CELLS = 64  # groups of reports, by number, that are counted apart


def audit_reports(
    bundle: _core.Bundle,
    epsilon: float,
    options: AuditOptions,
    make: Callable[[_core.Bundle, float], ReportMechanism] = ReportMechanism,
    progress: Progress = no_progress,
) -> list[Check]:
    """Checks reports of output words of the bundle: of no word, of the last one, and of some between.

    Releases are drawn again from sets that are made here; frequencies are those of reports without a seed.
    """
    generator = np.random.default_rng(options.seed)
    report = make(bundle, epsilon)
    count = report.info.value_count
    chosen = generator.choice(count, min(options.words, count), replace=False).tolist()
    values = list(dict.fromkeys([0, count - 1, *chosen]))
    return [
        check_threshold(report),
        check_sets(report, values, progress),
        check_released(report, values, generator, progress),
        check_draws(report, values[:6], options.draws),
    ]


def check_threshold(report: ReportMechanism) -> Check:
    """Whether the threshold gives at most the claimed ε, and the claimed ε is at most the requested one."""
    info = report.info
    said = f"a report is of the set of its value with {info.probability:.9f}"
    return _coin(report).check("threshold", said, info.requested_epsilon, info.effective_epsilon, "sets")


def _coin(report: ReportMechanism) -> Coin:
    return Coin(report.info.threshold, report.info.set_size, report.info.points)


def check_sets(report: ReportMechanism, values: list[int], progress: Progress = no_progress) -> Check:
    """Whether sets have the stated size, which is all that docs/proofs.md needs, and are those of the definition."""
    info = report.info
    wrong = dict.fromkeys(("with a report twice or out of range", "with a report that does not belong"), 0)
    places = np.arange(info.set_size)
    for number, value in enumerate(values, 1):
        members = report.members(value, places)
        inside = members[(members >= 0) & (members < info.points)]
        wrong["with a report twice or out of range"] += int(len(np.unique(inside)) != info.set_size)
        wrong["with a report that does not belong"] += int(not report.in_set(value, inside).all())
        progress(number, len(values), "sets")
    faults = [f"{count:,} {what}" for what, count in wrong.items() if count]
    share = noticed_share(len(values))
    return Check(
        "sets",
        not faults,
        f"the sets of {len(values):,} of {info.value_count:,} values, of {info.set_size:,} of {info.points:,} reports: "
        + ("; ".join(faults) if faults else "all as defined, so no pair of texts is above the bound"),
        f"a fault in the sets of {share:.2%} of values, with {POWER:.1%}",
        share,
        POWER,
        "sets of other values, and whether draws use these sets",
    )


def check_released(
    report: ReportMechanism, values: list[int], generator: np.random.Generator, progress: Progress = no_progress
) -> Check:
    """Checks releases with seeds, which are drawn again from sets that are made here."""
    wrong = 0
    for number, value in enumerate(values, 1):
        wrong += _coin(report).wrong_releases(
            partial(report.release, value), partial(_member, report, value), generator
        )
        progress(number, len(values), "draw again")
    return released_check(wrong, len(values), "reports", "its set", "which word of a text is chosen")


def _member(report: ReportMechanism, value: int, place: int) -> int:
    return int(report.members(value, np.array([place]))[0])


def check_draws(report: ReportMechanism, values: list[int], draws: int) -> Check:
    """Tests frequencies of reports without a seed: in and out of the set, in groups by number."""
    info = report.info
    chance = info.threshold / WORD
    groups = min(_CELLS, info.points)
    bounds = np.arange(groups + 1) * info.points // groups
    tables = []
    for value in values:
        members = np.sort(report.members(value, np.arange(info.set_size)))
        inside = np.diff(np.searchsorted(members, bounds))
        outside = np.diff(bounds) - inside
        any_report = (1 - chance) / info.points
        wanted = np.concatenate([inside * (chance / info.set_size + any_report), outside * any_report]) * draws
        reports = report.draw(value, draws)
        cell = np.searchsorted(bounds, reports, side="right") - 1 + groups * ~report.in_set(value, reports)
        tables.append((np.bincount(cell, minlength=2 * groups), wanted))
    return chi_square_check(
        "draws",
        f"{len(values)} values × {draws:,} reports without a seed, {groups} groups of reports in and out of sets",
        tables,
        len(values) * draws,
        "other values, and faults within a group",
    )
