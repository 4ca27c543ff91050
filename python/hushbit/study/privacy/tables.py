"""The privacy report as tables of text, which the terminal and the web page both show."""

from hushbit.study.names import LONG_TITLES
from hushbit.study.privacy.crowd_tables import crowd_tables
from hushbit.study.privacy.figures import NEAR, RELEASES, Figures, Spread
from hushbit.study.privacy.report import Report
from hushbit.study.privacy.table import Table, interval_text


def tables_of(report: Report) -> list[Table]:
    """Everything in the report, mechanism by mechanism."""
    tables = [_bundle(report)]
    for mechanism in report.options.mechanisms:
        figures = report.of(mechanism)
        if figures:
            tables += [_costs(report, figures), _outputs(report, figures), _control(figures), _repetition(figures)]
            tables += [_texts(report, figures), _words(figures)]
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
            f"{report.sampled:,} words{of_list}; {settings.draws} draws each for BRR, seed {report.options.seed}",
        ],
    ]
    note = "Intervals are of 95 %. ε is per differing bit: compare mechanisms by what they cost and keep, never by ε."
    if report.crowds:
        note = (
            "Intervals are of 95 %. ε is per differing bit, of crowds per word. Compare mechanisms by what one token "
            "costs at worst, and by what they keep."
        )
    return Table("Bundle", ["", ""], rows, note)


def _costs(report: Report, figures: list[Figures]) -> Table:
    brr = figures[0].mechanism == "brr"
    own = "a bit flips" if brr else "γ, bits"
    rows = [
        [
            f"{f.epsilon:.4g}",
            f"{f.effective_epsilon:.6g}",
            f"{f.flip_probability:.4f}" if f.flip_probability is not None else str(f.gamma),
            f"{f.average:.1f}",
            f"{f.by_distance:.1f}",
            f"{f.worst_case:.1f}",
        ]
        for f in figures
    ]
    note = (
        "One token at worst: the local-DP ε between any two tokens, known or not. "
        + (
            ""
            if brr
            else f"TEM's weights span a limited range, so it stays below ε·P_max (β {report.options.beta:g}). "
        )
    ).strip()
    columns = ["ε", "effective ε", own, "ε·P_avg", "ε·P_max", "one token at worst"]
    return Table(f"{LONG_TITLES[figures[0].mechanism]}: what ε adds up to", columns, rows, note)


def _outputs(report: Report, figures: list[Figures]) -> Table:
    settings = report.options.settings
    columns = ["ε", "unchanged N_w", "5, 50, 95 %", f"S_w of {settings.draws}", "effective support", "similarity"]
    columns += [*(f"among {k} nearest" for k in NEAR), "ties"]
    rows = [
        [
            f"{f.epsilon:.4g}",
            interval_text(f.unchanged),
            _percentiles(f.unchanged),
            f"{f.distinct.mean:.1f}",
            f"{f.support.mean:,.0f}",
            interval_text(f.similarity),
            *(interval_text(f.near[k]) for k in NEAR),
            "none" if f.ties is None else interval_text(f.ties),
        ]
        for f in figures
    ]
    note = (
        f"S_w: distinct outputs of {settings.draws} draws. Effective support: the fewest outputs that hold "
        f"{1 - settings.eta:.0%}"
        + (", of those draws, which can show no more." if figures[0].mechanism == "brr" else " of the chance, exactly.")
        + " Similarity of output and input: 1 - 2d/n, 1 for equal and 0 for unrelated codes."
    )
    return Table(f"{LONG_TITLES[figures[0].mechanism]}: what comes out", columns, rows, note)


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
    releases = [k for k in RELEASES if k in figures[0].recovered]
    columns = ["ε", *(f"{k} releases" for k in releases)]
    rows = [[f"{f.epsilon:.4g}", *(interval_text(f.recovered[k]) for k in releases)] for f in figures]
    note = (
        "How often the word is guessed from releases with fresh noise, by the better of two simple attacks: the output "
        "that came most often, or the word nearest to the majority of each bit. A better attack may exist."
    )
    if figures[0].mechanism == "tem":
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
    if figures[0].mechanism == "tem":
        note += ", from the pure ε of a token."
    else:
        note += " for words that change by up to P_max; in brackets, by P_avg. Both cover words only; "
        note += "the worst case of a token covers unknown tokens too."
    return Table(f"{LONG_TITLES[figures[0].mechanism]}: cost of a text", columns, rows, note)


def _words(figures: list[Figures]) -> Table:
    middle = min(figures, key=lambda f: abs(f.unchanged.mean - 0.5))
    least, most = middle.least_protected, middle.most_protected
    rows = [[_printable(a), f"{p:.3f}", _printable(b), f"{q:.3f}"] for (a, p), (b, q) in zip(least, most, strict=True)]
    title = f"{LONG_TITLES[middle.mechanism]} at ε {middle.epsilon:.4g}: words protected least and most"
    return Table(title, ["least", "N_w", "most", "N_w"], rows, "Of the sampled words, by the chance to stay unchanged.")


def _percentiles(value: Spread) -> str:
    return f"{value.p5:.2f}, {value.p50:.2f}, {value.p95:.2f}"


def _printable(word: str) -> str:
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in word)
