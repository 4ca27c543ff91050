"""Progress on terminals of all kinds, and where nobody listens."""

import contextlib
import errno
import io
import os
import pty

import pytest

from hushbit.cli._shared.progress import ProgressBar


def work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something that takes a minute, in steps of ten seconds."""
    now = [0.0]
    monkeypatch.setattr("hushbit.cli._shared.progress.time.monotonic", lambda: now[0])
    with ProgressBar() as progress:
        for done in range(7):
            now[0] = 10.0 * done
            progress(done, 6, "work")


@pytest.mark.parametrize("kind", ["dumb", "unknown", "xterm"])
def test_terminals(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, other_end = pty.openpty()
    monkeypatch.setenv("TERM", kind)
    monkeypatch.setenv("COLUMNS", "60")
    with os.fdopen(other_end, "w", encoding="utf-8") as stderr:
        monkeypatch.setattr("sys.stderr", stderr)
        work(monkeypatch)
    shown = b""
    with contextlib.suppress(OSError):  # how Linux says that the other end of a terminal is closed
        while data := os.read(terminal, 1 << 16):
            shown += data
    os.close(terminal)
    assert b"work" in shown
    assert b"100" in shown
    # A dumb terminal is told step by step, since no bar can move there.
    assert (b"\x1b[" in shown, b"hushbit: work 50 %\r\n" in shown) == (
        (True, False) if kind == "xterm" else (False, True)
    )


class Full(io.StringIO):
    """A stream of a disk that is full."""

    def write(self, text: str) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_nobody_needs_to_listen(monkeypatch: pytest.MonkeyPatch) -> None:
    for stderr in (Full(), None):
        monkeypatch.setattr("sys.stderr", stderr)
        work(monkeypatch)
