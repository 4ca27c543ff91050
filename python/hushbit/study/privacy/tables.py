"""The privacy report as tables of text, for the terminal and for the web page."""

from hushbit.study.names import LONG_TITLES, ON_CODES
from hushbit.study.privacy.comparison import Distances
from hushbit.study.privacy.crowd_tables import crowd_tables
from hushbit.study.privacy.figures import NEAR, RELEASES, Figures
from hushbit.study.privacy.report import Report
from hushbit.study.privacy.table import Table, count_text, half_way, interval_text, listed_words, percentiles_text


def tables_of(report: Report) -> list[Table]:
    """Everything in the report, mechanism by mechanism."""
    tables = [_bundle(report)]
    for mechanism in report.options.mechanisms:
        figures = report.of(mechanism)
        if figures:
            tables += [_costs(report, figures), _deniability(report, figures), _outputs(figures), _control(figures)]
            tables += [_repetition(figures), _texts(report, figures), _words(figures)]
    return tables + crowd_tables(report)


def _bundle(report: Report) -> Table:
    settings = report.options.settings
    of_list = f" of the list, {report.unknown:,} are unknown" if report.options.word_list else ""
    rows = [
        ["bundle", report.hash],
        ["words", f"{report.words:,}, codes of {report.bits} bits"],
        ["distance", f"P_avg {report.average_distance:.4f}, P_max {report.max_distance} bits"],
        [
            "measured on",
            f"{report.sampled:,} words{of_list}; {settings.draws} draws each for BRR and Madlib, seed "
            f"{report.options.seed}",
        ],
    ]
    if report.distances is not None:
        rows.insert(3, ["vectors", _vectors(report.distances)])
    note = "Intervals are of 95 %. ε is per differing bit: compare mechanisms by what they cost and keep, never by ε."
    if report.crowds or report.distances is not None:
        note = (
            "Intervals are of 95 %. ε is per differing bit, of crowds per word, of mechanisms on real vectors per unit "
            "of Euclidean distance. Compare mechanisms by what one token costs at worst, and by what they keep."
        )
    return Table("Bundle", ["", ""], rows, note)


def _vectors(found: Distances) -> str:
    average = "" if found.vectors_average_exact else "about "
    largest = "" if found.vectors_largest_exact else "at most "
    return f"P_avg {average}{found.vectors_average:.4f}, P_max {largest}{found.vectors_largest:.4f}"


def _costs(report: Report, figures: list[Figures]) -> Table:
    mechanism = figures[0].mechanism
    own = {"brr": "a bit flips", "tem": "γ, bits", "madlib": "mean noise", "tem-euclidean": "γ"}[mechanism]
    rows = [
        [
            f"{f.epsilon:.4g}",
            f"{f.effective_epsilon:.6g}",
            _own(f, report.dimensions),
            f"{f.average:.1f}",
            f"{f.by_distance:.1f}",
            f"{f.worst_case:.1f}",
        ]
        for f in figures
    ]
    note = (
        "One token at worst: the local-DP ε between any two tokens, known or not."
        if mechanism in ON_CODES
        else "One token at worst: the local-DP ε between any two words. Drawn in floating point: not for release."
    )
    if mechanism in ("tem", "tem-euclidean"):
        note += f" TEM's weights span a limited range, so it stays below ε·P_max (β {report.options.beta:g})."
    if mechanism == "madlib":
        note += f" Mean noise: the mean length of a noise vector, d/ε for {report.dimensions} dimensions."
    columns = ["ε", "effective ε", own, "ε·P_avg", "ε·P_max", "one token at worst"]
    return Table(f"{LONG_TITLES[mechanism]}: what ε adds up to", columns, rows, note)


def _own(figures: Figures, dimensions: int) -> str:
    if figures.flip_probability is not None:
        return f"{figures.flip_probability:.4f}"
    return f"{dimensions / figures.epsilon:.4g}" if figures.gamma is None else f"{figures.gamma:.4g}"


def _deniability(report: Report, figures: list[Figures]) -> Table:
    settings, mechanism = report.options.settings, figures[0].mechanism
    columns = ["ε", "unchanged N_w", "5, 50, 95 %", "most"]
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
        f"N_w: the chance that a word stays itself. S_w: distinct outputs of {settings.draws} draws. Most and "
        "least: of the words protected least. Effective support: the fewest outputs that hold "
        f"{1 - settings.eta:.0%}"
    )
    counted = mechanism in ("brr", "madlib")
    note += ", of those draws, which can show no more." if counted else " of the chance, exactly."
    return Table(f"{LONG_TITLES[mechanism]}: plausible deniability", columns, rows, note)


def _outputs(figures: list[Figures]) -> Table:
    mechanism = figures[0].mechanism
    columns = ["ε", "unchanged", "similarity", *(f"among {k} nearest" for k in NEAR), "ties"]
    rows = [
        [
            f"{f.epsilon:.4g}",
            f"{f.unchanged.mean:.3f}",
            interval_text(f.similarity),
            *(interval_text(f.near[k]) for k in NEAR),
            "none" if f.ties is None else interval_text(f.ties),
        ]
        for f in figures
    ]
    note = "Similarity of output and input: " + (
        "1 - 2d/n, 1 for equal and 0 for unrelated codes."
        if mechanism in ON_CODES
        else "the cosine of their vectors, without the mean and the top components of all words."
    )
    return Table(f"{LONG_TITLES[mechanism]}: what comes out", columns, rows, note)


def _control(figures: list[Figures]) -> Table:
    columns = ["ε", "unchanged", "similarity", "control's", *(c for k in NEAR for c in (f"among {k}", "control's"))]
    columns += ["one token at worst", "control's"]
    rows = [
        [
            f"{f.epsilon:.4g}",
            f"{f.unchanged.mean:.3f}",
            f"{f.similarity.mean:.3f}",
            f"{f.control.similarity:.3f}",
            *(text for k in NEAR for text in (f"{f.near[k].mean:.3f}", f"{f.control.near[k]:.3f}")),
            f"{f.worst_case:.1f}",
            f"{f.control.epsilon:.1f}",
        ]
        for f in figures
    ]
    note = (
        "The control keeps the word with probability N_w and else releases any other word. Where a mechanism is no "
        "more similar to the input than the control, it adds nothing but its proof for near words."
    )
    return Table(f"{LONG_TITLES[figures[0].mechanism]} and the control", columns, rows, note)


def _repetition(figures: list[Figures]) -> Table:
    middle = "the majority of each bit" if figures[0].mechanism in ON_CODES else "the mean of the outputs' vectors"
    releases = [k for k in RELEASES if k in figures[0].recovered]
    columns = ["ε", *(f"{k} releases" for k in releases)]
    rows = [[f"{f.epsilon:.4g}", *(interval_text(f.recovered[k]) for k in releases)] for f in figures]
    note = (
        "How often the word is guessed from releases with fresh noise, by the better of two simple attacks: the output "
        f"that came most often, or the word nearest to {middle}. A better attack may exist."
    )
    if figures[0].mechanism in ("tem", "tem-euclidean"):
        note += " Sampled: this alone has no closed form."
    return Table(f"{LONG_TITLES[figures[0].mechanism]}: the same word again and again", columns, rows, note)


def _texts(report: Report, figures: list[Figures]) -> Table:
    columns = ["ε", *(f"{text.tokens} token{'s' * (text.tokens > 1)}" for text in figures[0].texts)]
    rows = []
    for f in figures:
        cells = []
        for text in f.texts:
            average = "" if text.tight_average is None else f" ({text.tight_average:.1f} at P_avg)"
            cells.append(f"{text.tight:.1f} of {text.plain:.1f}{average}")
        rows.append([f"{f.epsilon:.4g}", *cells])
    note = f"The tight ε' at δ = {report.options.settings.delta:g}, of the plain sum"
    if figures[0].mechanism != "brr":
        note += ", from the pure ε of a token."
    else:
        note += " for words that change by up to P_max; in brackets, by P_avg. Both cover words only; "
        note += "the worst case of a token covers unknown tokens too."
    return Table(f"{LONG_TITLES[figures[0].mechanism]}: cost of a text", columns, rows, note)


def _words(figures: list[Figures]) -> Table:
    middle = half_way(figures)
    return listed_words(f"{LONG_TITLES[middle.mechanism]} at ε {middle.epsilon:.4g}", middle)
