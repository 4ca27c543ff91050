"""What is made of the results: figures as files, and the page."""

from pathlib import Path
from typing import Any

from hushbit._atomic import write_atomically
from hushbit.study.evaluate.figures import figures_of, svg_of, write_figures
from hushbit.study.evaluate.view import tables_of
from hushbit.study.privacy.page import page

PAGE = "report.html"
LEAD = (
    "A classifier trained on privatized text and tested on clean text; who was in its training text; what a reader of "
    "the privatized text recovers; what it costs in time and space. After Carvalho et al., 2021 (BRR) and 2023 (TEM)."
)


def write_outputs(document: dict[str, Any], folder: Path) -> None:
    """Writes NAME.png and NAME.svg for each figure, and report.html, which needs no other file."""
    write_figures(document, folder)
    plots = [(title, svg_of(draw)) for title, draw in figures_of(document).values()]
    text = page("Evaluation on labeled text", LEAD, tables_of(document), plots)
    write_atomically(folder / PAGE, text.encode())
