"""Progress of long work, on stderr. Quick work shows nothing; stdout stays data."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

SHOW_AFTER_SECONDS = 1.0
_LINE_EVERY_SECONDS = 5.0


class Progress:
    """Steps of one piece of work, one after another. Use it as a context manager, from one thread.

    On a terminal a bar appears once the work has taken a second; elsewhere a plain percent line appears now and then.
    Rich, which draws the bar, honors NO_COLOR and is imported only when the bar appears.
    """

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._step = ""
        self._total: float | None = None
        self._done = 0.0
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None
        self._last_line = self._began

    def start(self, step: str, total: float | None = None) -> None:
        """Begins a step, which ends the one before. `step` is a short phrase; `total` None if it is not known."""
        self._finish_step()
        self._step, self._total, self._done = step, total, 0.0
        self._show()

    def advance(self, amount: float = 1.0) -> None:
        """Counts `amount` more of the step's total as done."""
        self._done += amount
        self._show()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if error is None:
            self._finish_step()
        if self._bar is not None:
            self._bar.stop()

    def _show(self) -> None:
        now = time.monotonic()
        if now - self._began < SHOW_AFTER_SECONDS or sys.stderr is None:
            return
        if sys.stderr.isatty():
            self._show_bar()
        elif now - self._last_line >= _LINE_EVERY_SECONDS:
            self._last_line = now
            share = f" {100 * self._done / self._total:.0f} %" if self._total else ""
            print(f"{self._step}{share}", file=sys.stderr, flush=True)

    def _show_bar(self) -> None:
        if self._bar is None:
            self._bar = _new_bar()
            self._bar.start()
        if self._task is None:
            self._task = self._bar.add_task(self._step, total=self._total)
        self._bar.update(self._task, completed=self._done)

    def _finish_step(self) -> None:
        if self._bar is not None and self._task is not None:
            done = self._done if self._total is None else self._total
            self._bar.update(self._task, completed=done, total=done)
        self._task = None


def _new_bar() -> RichProgress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn()
    return Progress(*columns, console=Console(stderr=True))
