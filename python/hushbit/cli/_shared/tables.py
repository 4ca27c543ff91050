"""Tables for the terminal, drawn by rich."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterable
from typing import Protocol


class Table(Protocol):
    """Text in rows and columns."""

    @property
    def title(self) -> str:
        """What stands above it."""

    @property
    def columns(self) -> list[str]:
        """Their names."""

    @property
    def rows(self) -> list[list[str]]:
        """A cell for each column."""

    @property
    def note(self) -> str:
        """What stands below it."""


_MIN_WIDTH = 140  # wide enough for every table when stdout is a file


def render(tables: Iterable[Table]) -> list[str]:
    """The tables as lines of plain text."""
    return _drawn((table.title, table.columns, table.rows, table.note) for table in tables)


def render_rows(columns: list[str], rows: list[list[str]], note: str = "") -> list[str]:
    """One table without a title."""
    return _drawn([("", columns, rows, note)])


def _drawn(tables: Iterable[tuple[str, list[str], list[list[str]], str]]) -> list[str]:
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    buffer = io.StringIO()
    width = max(_MIN_WIDTH, shutil.get_terminal_size().columns)
    console = Console(file=buffer, width=width, color_system=None, highlight=False, markup=False, emoji=False)
    for title, columns, rows, note in tables:
        drawn = RichTable(box=box.SIMPLE_HEAD, show_header=any(columns), pad_edge=False)
        for number, column in enumerate(columns):
            drawn.add_column(Text(column), justify="left" if number == 0 or not any(columns) else "right")
        for row in rows:
            drawn.add_row(*map(Text, row))
        for text in filter(None, (title, drawn, note)):
            console.print(Text(text) if isinstance(text, str) else text)
        console.print()
    return [line.rstrip() for line in buffer.getvalue().strip("\n").splitlines()]
