"""Tables and plots as a self-contained HTML page, without scripts or external files."""

from collections.abc import Sequence
from html import escape

from hushbit.study.privacy.table import Table

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; color: #1a202c; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .3rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
td, th { border-bottom: 1px solid #cbd5e0; padding: .2rem .7rem; text-align: right; white-space: nowrap; }
td:first-child, th:first-child { text-align: left; }
.scroll { overflow-x: auto; } .note { color: #4a5568; max-width: 60rem; }
figure { display: inline-block; margin: 1rem 1rem 0 0; } figure svg { max-width: 100%; height: auto; }
"""


def page(title: str, lead: str, tables: Sequence[Table], plots: Sequence[tuple[str, str]]) -> str:
    """The page. `plots` are titles and SVGs; the SVGs are trusted, everything else is escaped."""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(title)}</h1><p>{escape(lead)}</p>",
        *(_figure(name, svg) for name, svg in plots),
        *map(_table, tables),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _figure(title: str, svg: str) -> str:
    return f"<figure><figcaption>{escape(title)}</figcaption>{svg}</figure>"


def _table(table: Table) -> str:
    head = "".join(f"<th>{escape(column)}</th>" for column in table.columns)
    body = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    header = f"<thead><tr>{head}</tr></thead>" if any(table.columns) else ""
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return f'<h2>{escape(table.title)}</h2><div class="scroll"><table>{header}<tbody>{body}</tbody></table></div>{note}'
