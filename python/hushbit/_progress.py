"""How long-running work of the toolchain says how far it is."""

from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Called as `progress(done, total, label)`; `done == total` ends the phase `label`. Units are the caller's."""


def no_progress(done: int, total: int, label: str) -> None:
    """Says nothing."""
