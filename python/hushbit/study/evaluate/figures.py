"""The figures, in the papers' shape: as PNG and SVG files, and as SVG text on a page with the tables."""

import io
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatter

from hushbit._plumbing.atomic import write_atomically
from hushbit.study.evaluate.inversion import RELEASES
from hushbit.study.evaluate.plan import Setting
from hushbit.study.evaluate.results import TIMING_KEY
from hushbit.study.evaluate.summary import Row, attained_of, inversions_of, readings_of, rows_of, settings_of
from hushbit.study.evaluate.view import WAYS, tables_of
from hushbit.study.names import EVALUATED, TITLES
from hushbit.study.privacy.figures import Mean
from hushbit.study.privacy.marks import exactly, legend_below, points
from hushbit.study.privacy.page import page
from hushbit.study.privacy.plots import COLORS, STYLE, compact

PAGE = "report.html"
LEAD = (
    "A classifier trained on privatized text and tested on clean text; who was in its training text; what a reader of "
    "the privatized text recovers; what it costs in time and space. After Carvalho et al., 2021 (BRR) and 2023 (TEM)."
)
Draw = Callable[[Axes], None]
_MARKERS = "os^DvPXph"
_GRAY = "#555"


def figures_of(document: dict[str, Any]) -> dict[str, tuple[str, Draw]]:
    """The figures by file name: for each its title, and what draws it."""
    found: dict[str, tuple[str, Draw]] = {}
    rows = rows_of(document)
    if len(rows) > 1:
        of_words = _by_word_epsilon(_settings(rows))
        title = "Accuracy by the local-DP ε of a word" if of_words else "Accuracy at equal ε·P_avg"
        found["utility"] = (title, lambda axes: _utility(axes, rows, document))
        found["control"] = ("Accuracy by unchanged words", lambda axes: _control(axes, rows))
        for query in ("clean", "privatized"):
            draw: Draw = partial(_membership, rows=rows, document=document, query=query)
            found[f"membership-{query}"] = (f"Membership inference, asked with {query} text", draw)
    inversions = inversions_of(document)
    if inversions:
        found["inversion"] = ("Words guessed from one release", lambda axes: _inversion(axes, document, inversions))
        found["repeats"] = ("Words guessed from repeated releases", lambda axes: _repeats(axes, document, inversions))
    readings = readings_of(document)
    if readings:
        found["reading"] = ("Rare words of running text guessed", lambda axes: _reading(axes, document, readings))
        if _by_word_epsilon([setting for setting, _ in readings]):
            found["frontier"] = ("Accuracy and what a reader guesses", lambda axes: _frontier(axes, rows, readings))
    if TIMING_KEY in document["done"]:
        timing = document["done"][TIMING_KEY]["rows"]
        found["time"] = ("Time to privatize one word", lambda axes: _time(axes, timing))
        found["size"] = ("Size on the device", lambda axes: _size(axes, timing))
    return found


def svg_of(draw: Draw) -> str:
    """A figure as SVG, the same for the same results."""
    return _saved(draw, "svg").decode()


def write_figures(document: dict[str, Any], folder: Path, kinds: Sequence[str] = ("png", "svg")) -> None:
    """Writes NAME.png and NAME.svg for each figure. Raises WriteFailedError."""
    for name, (title, draw) in figures_of(document).items():
        for kind in kinds:
            write_atomically(folder / f"{name}.{kind}", _saved(draw, kind, title))


def comparison_figure(document: dict[str, Any]) -> bytes:
    """A PNG: accuracy against the ε of a word, and against what a reader guesses, of frozen vectors and of the papers'
    classifier.
    """
    rows, readings = rows_of(document), readings_of(document)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9.2, 7.2), layout="constrained", dpi=120)
        panels = figure.subplots(2, 2, sharey="row")
        for (by_epsilon, by_guesses), title, frozen in zip(
            panels, ("frozen word vectors", "word vectors trained along"), (True, False), strict=True
        ):
            accuracy = partial(_accuracy, frozen=frozen)
            _by_epsilon(by_epsilon, rows, document, accuracy)
            _by_guesses(by_guesses, rows, readings, accuracy)
            by_epsilon.set(ylabel=f"accuracy, {title}")
        legend_below(panels[0, 0], 4)
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def _accuracy(row: Row, frozen: bool) -> Mean:
    return row.accuracy if row.frozen is None or not frozen else row.frozen


def _saved(draw: Draw, kind: str, title: str | None = None) -> bytes:
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(5.6, 4.2), layout="constrained", dpi=120)
        axes = figure.add_subplot()
        draw(axes)
        if title is not None:
            axes.set_title(title, fontsize=10)
        buffer = io.BytesIO()
        # Neither the day nor the version of the program that drew it: the same results, the same bytes.
        nothing: dict[str, Any] = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
        figure.savefig(buffer, format=kind, metadata=nothing)
    return buffer.getvalue() if kind == "png" else compact(buffer.getvalue().decode()).encode()


# ---- What is in them


def _mechanisms(rows: list[Row]) -> list[tuple[str, str, str, list[Row]]]:
    """Name, color, marker and rows of each mechanism."""
    found = []
    for mechanism, color, marker in zip(EVALUATED, COLORS, _MARKERS, strict=True):
        own = [row for row in rows if row.setting is not None and row.setting.mechanism == mechanism]
        if own:
            found.append((TITLES[mechanism], color, marker, own))
    return found


def _by_word_epsilon(settings: Sequence[Setting]) -> bool:
    """Whether all settings say the local-DP ε of a word, which old results lack."""
    return all(setting.word_epsilon is not None for setting in settings)


def _places(settings: Sequence[Setting], document: dict[str, Any]) -> list[Mean]:
    """The places at which to draw settings: the ε of a word, with a bar down to what it attains at least, or Madlib's
    ε.
    """
    if not _by_word_epsilon(settings_of(document)):
        return [exactly(setting.madlib_epsilon or 0.0) for setting in settings]
    least = {setting: found.low for setting, found in attained_of(document)}
    found = []
    for setting in settings:
        proved = setting.word_epsilon or 0.0
        found.append(Mean(proved, max(least.get(setting, proved), proved / 100), proved))
    return found


def _epsilon_axis(axes: Axes, document: dict[str, Any]) -> None:
    if _by_word_epsilon(settings_of(document)):
        axes.set_xscale("log")
        bars = "; bars: down to what is attained" if attained_of(document) else ""
        axes.set(xlabel=f"local-DP ε of a word, proved{bars}")
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_formatter(LogFormatter(labelOnlyBase=False))
    else:
        axes.set(xlabel="Madlib's ε, the others at equal ε·P_avg")


def _settings(rows: Sequence[Row]) -> list[Setting]:
    return [row.setting for row in rows if row.setting is not None]


def _by_epsilon(axes: Axes, rows: list[Row], document: dict[str, Any], value: Callable[[Row], Mean]) -> None:
    for name, color, marker, own in _mechanisms(rows):
        places = _places(_settings(own), document)
        points(axes, places, [value(row) for row in own], color=color, marker=marker, label=name)
    if rows[0].setting is None:
        _baseline(axes, value(rows[0]).mean)
    _epsilon_axis(axes, document)


def _by_guesses(axes: Axes, rows: list[Row], found: list[Any], value: Callable[[Row], Mean]) -> None:
    """Draws a value against what a reader guesses. Points that are higher and farther to the left are better."""
    of = dict(found)
    for name, color, marker, own in _mechanisms(rows):
        placed = [(of[row.setting], row) for row in own if row.setting in of]
        guessed = _rare([(exactly(0.0), result) for result, _ in placed], "context")
        points(axes, guessed, [value(row) for _, row in placed], color=color, marker=marker, label=name)
    if rows[0].setting is None:
        _baseline(axes, value(rows[0]).mean)
    axes.set(xlabel="rare words guessed from the context")


def _utility(axes: Axes, rows: list[Row], document: dict[str, Any]) -> None:
    _by_epsilon(axes, rows, document, lambda row: row.accuracy)
    axes.set(ylabel="accuracy on clean text")
    legend_below(axes)


def _frontier(axes: Axes, rows: list[Row], found: list[Any]) -> None:
    _by_guesses(axes, rows, found, lambda row: row.accuracy)
    axes.set(ylabel="accuracy on clean text")
    legend_below(axes)


def _control(axes: Axes, rows: list[Row]) -> None:
    """Controls are hollow: each has the unchanged words of a mechanism."""
    for name, color, marker, own in _mechanisms(rows):
        share = [row.unchanged for row in own]
        points(axes, share, [row.accuracy for row in own], color=color, marker=marker, label=name)
        controls = [(row.unchanged, row.control) for row in own if row.control is not None]
        if controls:
            at, accuracy = zip(*controls, strict=True)
            points(axes, at, accuracy, color=color, marker=marker, hollow=True)
    axes.plot([], [], "o", markerfacecolor="white", color=_GRAY, label="its control")
    _baseline(axes, rows[0].accuracy.mean if rows[0].setting is None else None)
    axes.set(xlabel="share of unchanged words", ylabel="accuracy on clean text", xlim=(-0.02, 1.02))
    legend_below(axes)


def _membership(axes: Axes, rows: list[Row], document: dict[str, Any], query: str) -> None:
    """Draws the AUC of the papers' shadow model of typed text if there is one, otherwise that of the shadow model of
    released text.
    """
    _by_epsilon(axes, rows, document, lambda row: row.auc[row.shadow][query])
    axes.axhline(0.5, color=_GRAY, lw=0.8)
    axes.set(ylabel=f"AUC, shadow model of {rows[0].shadow} text", ylim=(0.4, 1.02))
    legend_below(axes)


def _inversion(axes: Axes, document: dict[str, Any], found: list[Any]) -> None:
    for name, color, marker, own in _placed(found, document):
        _top1(axes, own, "bayes", "1", color=color, marker=marker, label=name)
        if all("bayes from the noise" in result["attacks"] for _, result in own):
            _top1(axes, own, "bayes from the noise", "1", color=color, marker=marker, hollow=True)
    axes.plot([], [], "o", markerfacecolor="white", color=_GRAY, label="from the noise itself")
    _epsilon_axis(axes, document)
    axes.set(ylabel="words guessed, Bayes", ylim=(-0.02, 1.02))
    legend_below(axes)


def _repeats(axes: Axes, document: dict[str, Any], found: list[Any]) -> None:
    once, *_, often = RELEASES
    for name, color, marker, own in _placed(found, document):
        _top1(axes, own, "bayes", str(once), color=color, marker=marker, label=name)
        _top1(axes, own, "bayes", str(often), color=color, marker=marker, hollow=True)
    axes.plot([], [], "o", markerfacecolor="white", color=_GRAY, label=f"from {often} releases")
    _epsilon_axis(axes, document)
    axes.set(ylabel="words guessed, Bayes", ylim=(-0.02, 1.02))
    legend_below(axes)


def _reading(axes: Axes, document: dict[str, Any], found: list[Any]) -> None:
    """Draws what a reader of the context names, and with hollow marks what one who knows only frequencies names."""
    for name, color, marker, own in _placed(found, document):
        epsilons = [epsilon for epsilon, _ in own]
        points(axes, epsilons, _rare(own, "context"), color=color, marker=marker, label=name)
        points(axes, epsilons, _rare(own, "frequencies"), color=color, marker=marker, hollow=True)
    axes.plot([], [], "o", markerfacecolor="white", color=_GRAY, label="without context")
    _epsilon_axis(axes, document)
    axes.set(ylabel="rare words guessed", ylim=(-0.02, 1.02))
    legend_below(axes)


def _rare(own: list[Any], knowing: str) -> list[Mean]:
    return [Mean(**result["attacks"][knowing]["1"]["rare"]["top1"]) for _, result in own]


def _placed(
    found: list[Any], document: dict[str, Any]
) -> list[tuple[str, str, str, list[tuple[Mean, dict[str, Any]]]]]:
    """Name, color and marker of each mechanism, the attacks on it, and where to draw each."""
    placed = []
    for mechanism, color, marker in zip(EVALUATED, COLORS, _MARKERS, strict=True):
        own = [(setting, result) for setting, result in found if setting.mechanism == mechanism]
        if own:
            places = _places([setting for setting, _ in own], document)
            attacks = [(place, result) for place, (_, result) in zip(places, own, strict=True)]
            placed.append((TITLES[mechanism], color, marker, attacks))
    return placed


def _top1(axes: Axes, own: list[Any], attack: str, k: str, **style: Any) -> None:
    values = [Mean(**result["attacks"][attack][k]["top1"]) for _, result in own]
    points(axes, [epsilon for epsilon, _ in own], values, **style)


def _time(axes: Axes, rows: list[dict[str, Any]]) -> None:
    names = [WAYS[row["name"]] for row in rows]
    bars = axes.barh(names, [1e3 * row["word_seconds"] for row in rows], color=COLORS[: len(rows)])
    axes.bar_label(bars, fmt="%.3f", padding=3, fontsize=8)
    axes.set(xlabel="milliseconds, one word at a time")
    axes.margins(x=0.15)
    axes.invert_yaxis()


def _size(axes: Axes, rows: list[dict[str, Any]]) -> None:
    names = [WAYS[row["name"]] for row in rows]
    bars = axes.barh(names, [row["bytes"]["total"] / 1e6 for row in rows], color=COLORS[: len(rows)])
    axes.bar_label(bars, fmt="%.1f", padding=3, fontsize=8)
    axes.set(xlabel="megabytes: words, codes or vectors, index")
    axes.margins(x=0.15)
    axes.invert_yaxis()


def _baseline(axes: Axes, value: float | None) -> None:
    if value is not None:
        axes.axhline(value, color=_GRAY, ls="--", lw=1, label="clean text")


def write_outputs(document: dict[str, Any], folder: Path) -> None:
    """Writes NAME.png and NAME.svg for each figure, and report.html, which needs no other file."""
    write_figures(document, folder)
    plots = [(title, svg_of(draw)) for title, draw in figures_of(document).values()]
    text = page("Evaluation on labeled text", LEAD, tables_of(document), plots)
    write_atomically(folder / PAGE, text.encode())
