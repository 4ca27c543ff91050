"""The figure of the home page: what is learned from messages, beside how often a reader names the right one of 1,000.

The numbers are those of docs/embedding.md, from the files that its tables are made of.
"""

import json
from pathlib import Path
from statistics import mean

# What is sent: the words of the figure, the row of the table of accuracies, that of the table of guesses.
ROWS = [
    ("Messages as typed", ("typed, the same vectors", "∞"), None),
    ("Hushbit: one release a message, ε 2 for all of it", ("**embedding**", "2"), ("embedding", 2.0)),
    ("Every word replaced, ε 6 for each", ("every word, crowds, ε 6 a word", None), ("every word, crowds", 6.0)),
]
TEXTS = 1000


def figure(docs: Path) -> str:
    """The figure as HTML: a table with bars."""
    accuracies = json.loads((docs / "embedding-table.json").read_text(encoding="utf-8"))
    guesses = json.loads((docs / "embedding-named.json").read_text(encoding="utf-8"))["messages"]
    rows = []
    for title, (release, epsilon), guess in ROWS:
        (area,) = [
            mean(row["messages"])
            for row in accuracies
            if row["release"] == release and row["times"] == "once" and epsilon in (None, row["epsilon"])
        ]
        named = 1.0 if guess is None else named_by(guesses, *guess)
        ours = ' class="ours"' if release == "**embedding**" else ""
        rows.append(
            f'<tr{ours}><th scope="row">{title}</th>'
            f"{cell(2 * area - 1, f'{area:.3f}'.removeprefix('0'))}{cell(named, f'{TEXTS * named:,.0f}')}</tr>"
        )
    return (
        '<table class="hush-figure"><thead><tr><th scope="col">What is sent</th>'
        '<th scope="col">How good the spam filter gets</th>'
        '<th scope="col">How often a reader names the message, of 1,000</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def named_by(guesses: list[dict[str, object]], release: str, epsilon: float) -> float:
    """The share of messages that a reader names."""
    (named,) = [row["named"] for row in guesses if row["release"] == release and row["epsilon"] == epsilon]
    return float(str(named))


def cell(share: float, text: str) -> str:
    """A bar and its number."""
    return f'<td><span class="bar" style="width: {100 * share:.1f}%"></span><b>{text}</b></td>'
