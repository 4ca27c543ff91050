"""Progress of long work, on stderr. Quick work shows nothing; stdout stays data."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from hushbit.cli._shared import streams

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_SHOW_AFTER_SECONDS = 1.0
_LINE_EVERY_SECONDS = 5.0


class ProgressBar:
    """A `hushbit._plumbing.progress.Progress` for people: call it as `bar(done, total, label)`, from one thread.

    A new label begins a new step. On a terminal a bar appears once the work has taken a second; elsewhere, also on a
    dumb one, a plain line appears now and then. Rich, which draws the bar, honors NO_COLOR and is imported only when
    the bar appears.
    """

    def __init__(self) -> None:
        self._began = self._last_line = time.monotonic()
        self._label: str | None = None
        self._first = (0, self._began)  # what was done when the step began, and when that was
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __call__(self, done: int, total: int, label: str) -> None:
        """`done` of `total` is done of the step `label`."""
        if sys.stderr is None:
            return
        if label != self._label:
            self._label, self._task = label, None
            self._first = (done, time.monotonic())
        now = time.monotonic()
        if now - self._began < _SHOW_AFTER_SECONDS:
            return
        if _can_draw():
            self._draw(done, total, label)
        elif now - self._last_line >= _LINE_EVERY_SECONDS:
            self._last_line = now
            share = f" {100 * done // total} %" if total else ""
            streams.say(f"{label}{share}{self._time_left(done, total, now)}")

    def _time_left(self, done: int, total: int, now: float) -> str:
        """The time left by the pace of this step so far, if the step is long."""
        first, began = self._first
        if done <= first:
            return ""
        seconds = (now - began) / (done - first) * (total - done)
        return f", about {seconds / 60:.0f} min left" if seconds >= 60 else ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._bar is None:
            return
        # An interrupt can come while rich is still setting the bar up; it must not be replaced by what rich then says.
        with contextlib.nullcontext() if error is None else contextlib.suppress(Exception):
            self._bar.stop()

    def _draw(self, done: int, total: int, label: str) -> None:
        if self._bar is None:
            self._bar = _new_bar()
            self._bar.start()
        if self._task is None:
            self._task = self._bar.add_task(label, total=total or None)
        self._bar.update(self._task, completed=done)


def _can_draw() -> bool:
    """Whether stderr is a terminal that a bar can move on. On a dumb one rich would show nothing until the end."""
    return sys.stderr.isatty() and os.environ.get("TERM", "").lower() not in ("dumb", "unknown")


def _new_bar() -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeElapsedColumn()
    # A step can be one of dozens that take a minute each, so its pace is that of the last half hour.
    return Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), speed_estimate_period=1800)
