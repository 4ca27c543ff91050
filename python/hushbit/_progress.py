"""How long-running work of the toolchain says how far it is."""

from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Called as `progress(done, total, label)`; `done == total` ends the phase `label`. Units are the caller's."""


def no_progress(done: int, total: int, label: str) -> None:
    """Says nothing."""


def step_of(progress: Progress, step: int, steps: int, label: str | None = None) -> Progress:
    """Progress of one of `steps` like steps, counted from 0, told as a share of all of them: it never goes back.

    Under `label`, if given, in place of those of the step.
    """

    def tell(done: int, total: int, said: str) -> None:
        progress(step * total + done, steps * total, said if label is None else label)

    return tell
