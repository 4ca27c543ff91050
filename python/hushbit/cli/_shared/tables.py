"""Tables for the terminal, drawn by rich."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hushbit.study.privacy.table import Table

_MIN_WIDTH = 140  # wide enough for every table when stdout is a file


def render(tables: Iterable[Table]) -> list[str]:
    """The tables as lines of plain text."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    buffer = io.StringIO()
    width = max(_MIN_WIDTH, shutil.get_terminal_size().columns)
    console = Console(file=buffer, width=width, color_system=None, highlight=False, markup=False, emoji=False)
    for table in tables:
        drawn = RichTable(box=box.SIMPLE_HEAD, show_header=any(table.columns), pad_edge=False)
        for number, column in enumerate(table.columns):
            drawn.add_column(Text(column), justify="left" if number == 0 or not any(table.columns) else "right")
        for row in table.rows:
            drawn.add_row(*map(Text, row))
        console.print(Text(table.title))
        console.print(drawn)
        if table.note:
            console.print(Text(table.note))
        console.print()
    return [line.rstrip() for line in buffer.getvalue().rstrip().splitlines()]
