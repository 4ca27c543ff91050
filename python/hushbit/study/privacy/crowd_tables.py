"""The effects of crowds on words, as tables of text."""

from typing import TYPE_CHECKING

from hushbit.study.privacy.crowd_figures import CrowdFigures
from hushbit.study.privacy.table import Table, count_text, half_way, interval_text, listed_words, percentiles_text

if TYPE_CHECKING:
    from hushbit.study.privacy.report import Report

CONTEXT = (
    "Context adds to it: a reader of running text knows more than frequencies. In trials such a reader's first guess "
    "was right up to twice as often from ε 6 on."
)


def crowd_tables(report: "Report") -> list[Table]:
    """The tables of crowds; an empty list if the report has no crowds."""
    figures = report.crowds
    if not figures:
        return []
    title = f"Crowds, {figures[0].crowd}"
    return [
        _costs(title, figures),
        _deniability(title, figures, report),
        _outputs(title, figures, report),
        _guesses(title, figures, report.counted),
        _texts(title, figures, report),
        listed_words(f"{title} at ε {half_way(figures).epsilon:.4g}", half_way(figures)),
    ]


def _costs(title: str, figures: list[CrowdFigures]) -> Table:
    columns = ["ε of a word", "effective ε", "λ", "m / M", "mean crowd", "one token at worst"]
    rows = [
        [
            f"{f.epsilon:.4g}",
            f"{f.effective_epsilon:.6g}",
            f"{f.coin:.4f}",
            f"{f.mass_share:.3g}",
            f"{f.mean_crowd:.1f}",
            f"{f.effective_epsilon:.4g}",
        ]
        for f in figures
    ]
    note = (
        "One token at worst: the local-DP ε between any two tokens, known or not, the same for all of them. With the "
        "chance λ a word of the crowd comes out, else any output word, by weight."
    )
    return Table(f"{title}: what ε adds up to", columns, rows, note)


def _deniability(title: str, figures: list[CrowdFigures], report: "Report") -> Table:
    settings = report.options.settings
    columns = ["ε of a word", "unchanged N_w", "5, 50, 95 %", "most"]
    columns += [f"S_w of {settings.draws}", "5, 50, 95 %", "least", "effective support"]
    rows = [
        [
            f"{f.epsilon:.4g}",
            interval_text(f.unchanged),
            percentiles_text(f.unchanged, 2),
            f"{f.unchanged.most:.3f}",
            count_text(f.distinct),
            percentiles_text(f.distinct, 0),
            f"{f.distinct.least:.1f}",
            f"{f.support.mean:,.0f}",
        ]
        for f in figures
    ]
    note = (
        "Exact for each word; intervals are over words. S_w: distinct outputs to expect of "
        f"{settings.draws} draws. Most and least: of the words protected least. Effective support: the fewest outputs "
        f"that hold {1 - settings.eta:.0%} of the chance."
    )
    return Table(f"{title}: plausible deniability", columns, rows, note)


def _outputs(title: str, figures: list[CrowdFigures], report: "Report") -> Table:
    near = sorted(figures[0].near)
    columns = ["ε of a word", "unchanged", *(f"among {k} nearest" for k in near)]
    columns += ["as typed: unchanged", *(f"among {k}" for k in near)]
    rows = [
        [
            f"{f.epsilon:.4g}",
            f"{f.unchanged.mean:.3f}",
            *(interval_text(f.near[k]) for k in near),
            f"{f.typed_unchanged:.3f}",
            *(f"{f.typed_near[k]:.3f}" for k in near),
        ]
        for f in figures
    ]
    note = (
        "Nearest: by the bundle's lists, the word itself first. As typed: over all words as often as they occur, "
        f"{_frequencies(report.counted)}."
    )
    return Table(f"{title}: what comes out", columns, rows, note)


def _guesses(title: str, figures: list[CrowdFigures], counted: bool) -> Table:
    frequent = figures[0].guessed.frequent
    columns = ["ε of a word", "all words", f"beyond the {frequent} most frequent", "told that it is beyond them"]
    rows = [
        [f"{f.epsilon:.4g}", *map(_share, (f.guessed.everything, f.guessed.beyond, f.guessed.beyond_told))]
        for f in figures
    ]
    first = figures[0].guessed
    nothing = ["nothing seen", *map(_share, (first.prior, 0.0 if first.beyond is not None else None))]
    nothing.append(_share(first.prior_beyond))
    note = (
        "How often the first guess of the word typed is right, from one release, by the best attacker who knows how "
        f"frequent words are ({_frequencies(counted)}). Exact. {CONTEXT}"
    )
    return Table(f"{title}: what an attacker guesses", columns, [*rows, nothing], note)


def _texts(title: str, figures: list[CrowdFigures], report: "Report") -> Table:
    columns = ["ε of a word", *(f"{text.tokens} token{'s' * (text.tokens > 1)}" for text in figures[0].texts)]
    rows = [[f"{f.epsilon:.4g}", *(f"{text.tight:.1f} of {text.plain:.1f}" for text in f.texts)] for f in figures]
    note = (
        f"The tight ε' at δ = {report.options.settings.delta:g}, of the plain sum, for any two texts of as many "
        "tokens, known or not."
    )
    return Table(f"{title}: cost of a text", columns, rows, note)


def _frequencies(counted: bool) -> str:
    return "as counted" if counted else "by the ranks that the bundle's weights tell"


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
