"""How long-running work of the toolchain reports its progress."""

from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Called as `progress(done, total, label)`; `done == total` ends the phase `label`. Units are the caller's."""


def no_progress(done: int, total: int, label: str) -> None:
    """Reports nothing."""


def step_of(progress: Progress, step: int, steps: int, label: str | None = None) -> Progress:
    """Reports the progress of step number `step` (from 0) of `steps` equal steps as a share of all; it never goes back.

    If `label` is given, it replaces the labels of the step.
    """

    def tell(done: int, total: int, said: str) -> None:
        progress(step * total + done, steps * total, said if label is None else label)

    return tell
