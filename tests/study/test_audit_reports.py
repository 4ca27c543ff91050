"""Audits of reports pass, and notice planted faults."""

from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

import hushbit
from cli_runner import run_here
from hushbit import _core
from hushbit.study.audit.reports import audit_reports
from hushbit.study.audit.run import AuditOptions
from hushbit.study.mechanisms.report import ReportMechanism, Whole

FEW = AuditOptions(words=6, draws=3000)


class Planted(ReportMechanism):
    """Says other numbers than those that hold."""

    told: ClassVar[dict[str, int]] = {}

    def __init__(self, bundle: _core.Bundle, epsilon: float) -> None:
        super().__init__(bundle, epsilon)
        names = [name for name in dir(self.info) if name[0] != "_"]
        values = {name: getattr(self.info, name) for name in names}
        self.info: Any = SimpleNamespace(**values | {name: values[name] + more for name, more in self.told.items()})


class ThresholdRoundedUp(Planted):
    told: ClassVar[dict[str, int]] = {"threshold": 1}


class AnotherPrime(Planted):
    told: ClassVar[dict[str, int]] = {"prime": 4}  # 11 in place of 7


class ForgetsTheNoise(ReportMechanism):
    """Draws from the set more often than it says, where no seed is given."""

    def draw(self, value: int, count: int) -> Whole:
        own = self.members(value, np.random.default_rng(1).integers(0, self.info.set_size, count // 4))
        return np.concatenate([super().draw(value, count - len(own)), own])


class OneMemberTwice(ReportMechanism):
    def members(self, value: int, places: Whole) -> Whole:
        found = super().members(value, places)
        found[-1] = found[0]
        return found


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 4.0, 8.0, 16.0])
def test_reports_pass(epsilon: float) -> None:
    checks = audit_reports(hushbit.open()._native, epsilon, FEW)
    assert [check.name for check in checks] == ["threshold", "sets", "released", "draws"]
    assert all(check.passed for check in checks), checks


@pytest.mark.parametrize(
    ("make", "failing"),
    [
        (ThresholdRoundedUp, {"threshold"}),
        (AnotherPrime, {"sets", "released"}),
        (ForgetsTheNoise, {"draws"}),
        (OneMemberTwice, {"sets"}),
    ],
)
def test_faults_are_noticed(make: type[ReportMechanism], failing: set[str]) -> None:
    checks = audit_reports(hushbit.open()._native, 2.0, FEW, make)
    failed = {check.name for check in checks if not check.passed}
    assert failing <= failed
    assert make is AnotherPrime or failed <= failing | {"draws"}


def test_on_the_command_line() -> None:
    done = run_here("audit", "--mechanism", "report", "--epsilon", "2", "--words", "4", "--draws", "500")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(b"ok ") == 4
