"""The figures, in the papers' shape: as PNG and SVG files, and as SVG text on a page with the tables."""

import io
from collections.abc import Callable, Sequence
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
from hushbit.study.evaluate.summary import Row, inversions_of, readings_of, rows_of
from hushbit.study.evaluate.view import WAYS, tables_of
from hushbit.study.names import EVALUATED, TITLES
from hushbit.study.privacy.page import page
from hushbit.study.privacy.plots import COLORS, compact

PAGE = "report.html"
LEAD = (
    "A classifier trained on privatized text and tested on clean text; who was in its training text; what a reader of "
    "the privatized text recovers; what it costs in time and space. After Carvalho et al., 2021 (BRR) and 2023 (TEM)."
)
Draw = Callable[[Axes], None]
_STYLE: Any = {"svg.hashsalt": "hushbit", "svg.fonttype": "none", "font.size": 9, "axes.grid": True, "grid.alpha": 0.3}
_MARKERS = "os^DvPXph"
_GRAY = "#555"


def figures_of(document: dict[str, Any]) -> dict[str, tuple[str, Draw]]:
    """By file name: titles, and what draws them."""
    found: dict[str, tuple[str, Draw]] = {}
    rows = rows_of(document)
    if len(rows) > 1:
        of_words = _by_word_epsilon(_settings(rows))
        title = "Accuracy by the local-DP ε of a word" if of_words else "Accuracy at equal ε·P_avg"
        found["utility"] = (title, lambda axes: _utility(axes, rows))
        found["control"] = ("Accuracy by unchanged words", lambda axes: _control(axes, rows))
        for query in ("clean", "privatized"):
            draw: Draw = lambda axes, query=query: _membership(axes, rows, query)  # type: ignore[misc]  # noqa: E731
            found[f"membership-{query}"] = (f"Membership inference, asked with {query} text", draw)
    inversions = inversions_of(document)
    if inversions:
        found["inversion"] = ("Words guessed from one release", lambda axes: _inversion(axes, inversions))
        found["repeats"] = ("Words guessed from repeated releases", lambda axes: _repeats(axes, inversions))
    readings = readings_of(document)
    if readings:
        found["reading"] = ("Rare words of running text guessed", lambda axes: _reading(axes, readings))
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
    """Writes NAME.png and NAME.svg for each figure. Raises BundleWriteError."""
    for name, (title, draw) in figures_of(document).items():
        for kind in kinds:
            write_atomically(folder / f"{name}.{kind}", _saved(draw, kind, title))


def accuracy_figure(document: dict[str, Any]) -> bytes:
    """A PNG: accuracy against the local-DP ε of a word, of frozen word vectors and of the papers' classifier."""
    rows = rows_of(document)
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(9.2, 3.8), layout="constrained", dpi=120)
        panels = figure.subplots(1, 2, sharey=True)
        for axes, title, frozen in zip(
            panels, ("frozen word vectors, linear model", "word vectors trained along"), (True, False), strict=True
        ):
            for name, color, marker, own in _mechanisms(rows):
                places = _epsilons(_settings(own), _settings(rows))
                axes.plot(places, [_accuracy(row, frozen) for row in own], marker=marker, ms=4, color=color, label=name)
            axes.axhline(_accuracy(rows[0], frozen), color=_GRAY, ls="--", lw=1, label="clean text")
            _epsilon_axis(axes, _settings(rows))
            axes.set_title(title, fontsize=10)
        panels[0].set(ylabel="accuracy on clean text")
        panels[1].legend(fontsize=7, loc="lower right")
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def _accuracy(row: Row, frozen: bool) -> float:
    return row.accuracy.mean if row.frozen is None or not frozen else row.frozen.mean


def _saved(draw: Draw, kind: str, title: str | None = None) -> bytes:
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(5.6, 3.6), layout="constrained", dpi=120)
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
    """Whether all say the local-DP ε of a word, which runs of old lack."""
    return all(setting.word_epsilon is not None for setting in settings)


def _epsilons(settings: Sequence[Setting], everything: Sequence[Setting]) -> list[float]:
    """Where to draw them: by the ε of a word, or by Madlib's."""
    if _by_word_epsilon(everything):
        return [setting.word_epsilon or 0.0 for setting in settings]
    return [setting.madlib_epsilon or 0.0 for setting in settings]


def _epsilon_axis(axes: Axes, everything: Sequence[Setting]) -> None:
    if _by_word_epsilon(everything):
        axes.set_xscale("log")
        axes.set(xlabel="local-DP ε of a word, worst case")
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_formatter(LogFormatter(labelOnlyBase=False))
    else:
        axes.set(xlabel="Madlib's ε, the others at equal ε·P_avg")


def _settings(rows: Sequence[Row]) -> list[Setting]:
    return [row.setting for row in rows if row.setting is not None]


def _utility(axes: Axes, rows: list[Row]) -> None:
    for name, color, marker, own in _mechanisms(rows):
        epsilons = _epsilons(_settings(own), _settings(rows))
        axes.plot(epsilons, [row.accuracy.mean for row in own], marker=marker, ms=4, color=color, label=name)
        _band(axes, epsilons, [row.accuracy for row in own], color)
    _baseline(axes, rows[0].accuracy.mean if rows[0].setting is None else None)
    _epsilon_axis(axes, _settings(rows))
    axes.set(ylabel="accuracy on clean text")
    axes.legend()


def _control(axes: Axes, rows: list[Row]) -> None:
    curve = sorted((row.unchanged.mean, row.control.mean) for row in rows if row.control is not None)
    axes.plot(*zip(*curve, strict=True), ":", color=_GRAY, label="control")
    for name, color, marker, own in _mechanisms(rows):
        share, accuracy = [row.unchanged.mean for row in own], [row.accuracy.mean for row in own]
        axes.plot(share, accuracy, marker=marker, ms=4, color=color, label=name)
    _baseline(axes, rows[0].accuracy.mean if rows[0].setting is None else None)
    axes.set(xlabel="share of unchanged words", ylabel="accuracy on clean text", xlim=(0, 1))
    axes.legend()


def _membership(axes: Axes, rows: list[Row], query: str) -> None:
    for name, color, marker, own in _mechanisms(rows):
        epsilons = _epsilons(_settings(own), _settings(rows))
        axes.plot(epsilons, [row.auc[query].mean for row in own], marker=marker, ms=4, color=color, label=name)
        _band(axes, epsilons, [row.auc[query] for row in own], color)
    _baseline(axes, rows[0].auc[query].mean if rows[0].setting is None else None)
    axes.axhline(0.5, color=_GRAY, lw=0.8)
    _epsilon_axis(axes, _settings(rows))
    axes.set(ylabel="AUC of the attacker", ylim=(0.4, 1.02))
    axes.legend()


def _inversion(axes: Axes, found: list[Any]) -> None:
    for name, color, marker, own in _placed(found):
        epsilons = [epsilon for epsilon, _ in own]
        _top1(axes, own, "bayes", "1", marker=marker, ms=4, color=color, label=name)
        if all("bayes from the noise" in result["attacks"] for _, result in own):
            _top1(axes, own, "bayes from the noise", "1", ls="--", color=color)
        axes.plot(epsilons, [result["unchanged"]["mean"] for _, result in own], ":", color=color)
    axes.plot([], [], "--", color=_GRAY, label="from the noise itself")
    axes.plot([], [], ":", color=_GRAY, label="unchanged")
    _epsilon_axis(axes, [setting for setting, _ in found])
    axes.set(ylabel="words guessed, Bayes", ylim=(0, 1.02))
    axes.legend(fontsize=7)


def _repeats(axes: Axes, found: list[Any]) -> None:
    for name, color, _, own in _placed(found):
        for k, style in zip(RELEASES, ("-", "--", ":"), strict=True):
            _top1(axes, own, "bayes", str(k), ls=style, color=color)
        axes.plot([], [], color=color, label=name)
    for k, style in zip(RELEASES, ("-", "--", ":"), strict=True):
        axes.plot([], [], ls=style, color=_GRAY, label=f"{k} release{'s' * (k > 1)}")
    _epsilon_axis(axes, [setting for setting, _ in found])
    axes.set(ylabel="words guessed, Bayes", ylim=(0, 1.02))
    axes.legend(fontsize=7)


def _reading(axes: Axes, found: list[Any]) -> None:
    """By a reader of the context, and dotted by one who knows frequencies only."""
    for name, color, marker, own in _placed(found):
        epsilons = [epsilon for epsilon, _ in own]
        axes.plot(epsilons, _rare(own, "context"), marker=marker, ms=4, color=color, label=name)
        axes.plot(epsilons, _rare(own, "frequencies"), ":", color=color)
    axes.plot([], [], ":", color=_GRAY, label="without context")
    _epsilon_axis(axes, [setting for setting, _ in found])
    axes.set(ylabel="rare words guessed", ylim=(0, 1.02))
    axes.legend(fontsize=7)


def _frontier(axes: Axes, rows: list[Row], found: list[Any]) -> None:
    """Up and left is better. Dotted: by a bag of words."""
    of = dict(found)
    for name, color, marker, own in _mechanisms(rows):
        placed = [(of[row.setting], row) for row in own if row.setting in of]
        guessed = _rare([(0.0, result) for result, _ in placed], "context")
        axes.plot(guessed, [row.accuracy.mean for _, row in placed], marker=marker, ms=4, color=color, label=name)
        bags = [row.bag.mean for _, row in placed if row.bag is not None]
        if len(bags) == len(guessed):
            axes.plot(guessed, bags, ":", color=color, marker=marker, ms=2)
    _baseline(axes, rows[0].accuracy.mean if rows[0].setting is None else None)
    axes.plot([], [], ":", color=_GRAY, label="by a bag of words")
    axes.set(xlabel="rare words guessed from the context", ylabel="accuracy on clean text")
    axes.legend(fontsize=7)


def _rare(own: list[Any], knowing: str) -> list[float]:
    return [result["attacks"][knowing]["1"]["rare"]["top1"]["mean"] for _, result in own]


def _placed(found: list[Any]) -> list[tuple[str, str, str, list[tuple[float, dict[str, Any]]]]]:
    """Name, color and marker of each mechanism, the attacks on it, and where to draw each."""
    settings = [setting for setting, _ in found]
    placed = []
    for mechanism, color, marker in zip(EVALUATED, COLORS, _MARKERS, strict=True):
        own = [(setting, result) for setting, result in found if setting.mechanism == mechanism]
        if own:
            places = _epsilons([setting for setting, _ in own], settings)
            attacks = [(place, result) for place, (_, result) in zip(places, own, strict=True)]
            placed.append((TITLES[mechanism], color, marker, attacks))
    return placed


def _top1(axes: Axes, own: list[Any], attack: str, k: str, **style: Any) -> None:
    values = [result["attacks"][attack][k]["top1"]["mean"] for _, result in own]
    axes.plot([epsilon for epsilon, _ in own], values, **style)


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


def _band(axes: Axes, x: list[float], means: list[Any], color: str) -> None:
    axes.fill_between(x, [m.low for m in means], [m.high for m in means], color=color, alpha=0.12, lw=0)


def _baseline(axes: Axes, value: float | None) -> None:
    if value is not None:
        axes.axhline(value, color=_GRAY, ls="--", lw=1, label="clean text")


def write_outputs(document: dict[str, Any], folder: Path) -> None:
    """Writes NAME.png and NAME.svg for each figure, and report.html, which needs no other file."""
    write_figures(document, folder)
    plots = [(title, svg_of(draw)) for title, draw in figures_of(document).values()]
    text = page("Evaluation on labeled text", LEAD, tables_of(document), plots)
    write_atomically(folder / PAGE, text.encode())
