"""Shows a comparison as tables and as a plot."""

from hushbit.study.mechanisms.euclidean_tem import EuclideanTem
from hushbit.study.mechanisms.metric_tem import OWN_METRIC
from hushbit.study.names import TITLES
from hushbit.study.privacy.comparison import Comparison, Row
from hushbit.study.privacy.figures import Mean
from hushbit.study.privacy.table import Table, interval_text

LEAD = (
    "All mechanisms on a distance have the same ε·P_avg: the same promise for an average pair of words. The ε of a "
    "word is the worst case over all pairs of words. Use it to compare all mechanisms, crowds included."
)
NAMES = TITLES | {EuclideanTem.name: TITLES["tem-euclidean"], OWN_METRIC: "TEM, own metric"}


def tables(comparison: Comparison) -> list[Table]:
    """The table of distances, and the table with one row for each mechanism at each ε."""
    return [_distances(comparison), _rows(comparison)]


def _distances(comparison: Comparison) -> Table:
    found = comparison.distances
    columns = ["", "real vectors", "codes", *(["own metric"] if comparison.own_metric is not None else []), "ratio"]
    low, high = found.vectors_average_interval
    average = f"{found.vectors_average:.4f}" + ("" if found.vectors_average_exact else f" ({low:.4f} to {high:.4f})")
    largest = ("" if found.vectors_largest_exact else "at most ") + f"{found.vectors_largest:.4f}"
    ratio_average = found.vectors_average / found.codes_average if found.codes_average else 0.0
    ratio_largest = found.vectors_largest / found.codes_largest if found.codes_largest else 0.0
    rows = [
        ["P_avg", average, f"{found.codes_average:.4f} bits", f"{ratio_average:.6f}"],
        ["P_max", largest, f"{found.codes_largest} bits", f"{ratio_largest:.6f}"],
    ]
    if comparison.own_metric is not None:
        own = comparison.own_metric
        low, high = own.average_interval
        rows[0][3:3] = [f"{own.average:.4f}" + ("" if own.average_exact else f" ({low:.4f} to {high:.4f})")]
        rows[1][3:3] = [("" if own.largest_exact else "at most ") + f"{own.largest:.4f}"]
    note = (
        "The ε per bit is the ε of the vectors times the ratio. Both depend on the vocabulary. If P_max has the "
        "larger ratio, matching by P_max gives mechanisms on codes a larger ε: they look better only because they add "
        "less noise."
    )
    return Table(f"Distances of {comparison.words:,} words", columns, rows, note)


def _rows(comparison: Comparison) -> Table:
    bounded = any(row.attained is not None for row in comparison.rows)
    attained = ["attained"] if bounded else []
    columns = ["mechanism", "ε of a word", *attained, "own ε", "ε·P_avg", "ε·P_max", "of Madlib's", "unchanged"]
    columns.append("cosine of changed")
    rows = [
        [
            NAMES.get(row.mechanism, row.mechanism),
            f"{row.word_epsilon:.4g}",
            *([str(row.attained)] if bounded else []),
            f"{row.epsilon:.4g}",
            "" if row.average is None else f"{row.average:.1f}",
            "" if row.largest is None else f"{row.largest:.1f}",
            "" if row.ratio_by_largest is None else f"{row.ratio_by_largest:.2f}",
            interval_text(row.unchanged),
            "none changed" if row.cosine is None else interval_text(row.cosine),
        ]
        for row in comparison.rows
    ]
    draws = f"{comparison.draws} draw{'s' * (comparison.draws > 1)} each"
    note = f"{comparison.sampled:,} words, {draws}, seed {comparison.seed}; intervals of 95 %. "
    note += "ε of a word: its local-DP ε, the worst case over all pairs of words, as it is proved."
    if bounded:
        note += (
            " Attained: what the released word attains of it. Without a sign it is exact; with ≥ it is certified at "
            "95 % for one pair of words, and the truth lies between it and the ε of a word."
        )
    return Table("Matched by ε·P_avg", columns, rows, note)


def plots(comparison: Comparison) -> list[tuple[str, str]]:
    """Titles and SVGs: the cosine of changed words over the share of unchanged words, and that share over the ε."""
    from matplotlib.axes import Axes

    from hushbit.study.privacy.marks import exactly, legend_below, points
    from hushbit.study.privacy.plots import COLORS, svg

    def near(axes: Axes) -> None:
        for color, (mechanism, rows) in zip(COLORS, _by_mechanism(comparison).items(), strict=False):
            shown = [(row.unchanged, row.cosine) for row in rows if row.cosine is not None]
            if shown:
                points(axes, *zip(*shown, strict=True), color=color, marker="o", label=NAMES.get(mechanism, mechanism))
        axes.set(xlabel="share of unchanged words", ylabel="cosine of changed words", xlim=(-0.02, 1.02))
        legend_below(axes)

    def kept(axes: Axes) -> None:
        for color, (mechanism, rows) in zip(COLORS, _by_mechanism(comparison).items(), strict=False):
            places = [_place(row) for row in rows]
            label = NAMES.get(mechanism, mechanism)
            points(axes, places, [row.unchanged for row in rows], color=color, marker="o", label=label)
        bars = "; bars: down to what is attained" if comparison.rows[0].attained is not None else ""
        axes.set(xlabel=f"local-DP ε of a word, proved{bars}", ylabel="share of unchanged words", xscale="log")
        axes.xaxis.set_major_formatter("{x:g}")
        legend_below(axes)

    def _place(row: Row) -> Mean:
        proved = exactly(row.word_epsilon)
        return proved if row.attained is None else Mean(proved.mean, row.attained.low, proved.high)

    return [
        ("Similarity of changed words, at the same share of unchanged words", svg(near)),
        ("Unchanged words, by the ε of a word", svg(kept)),
    ]


def _by_mechanism(comparison: Comparison) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in comparison.rows:
        found.setdefault(row.mechanism, []).append(row)
    return found
