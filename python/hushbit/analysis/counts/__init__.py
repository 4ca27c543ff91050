"""Answers from what many devices sent, for the analyst: counts of words, emoji and answers (docs/counting.md).

    from hushbit.analysis.counts import Counted, Wanted, count_files, design_of, estimate, listed

    values = listed(["yes", "no", "rather not"], none=False)
    counted = count_files([Path("reports.jsonl")], Wanted(values.hash, 2.0), Counted(design_of(3, 2.0)))
    found = estimate(counted.whole, values.names)

Nothing here costs privacy: it sees what was sent and nothing else. `Tally` and `Counted` are partial sums, which add up
and are pickled. numpy is enough for JSON lines and numbers; the extra `analysis` brings what other files, differences
and charts need.
"""

from hushbit.analysis.counts.classes import NaiveBayes, naive_bayes
from hushbit.analysis.counts.design import Design, design_of
from hushbit.analysis.counts.differences import Differences, difference
from hushbit.analysis.counts.estimates import Estimates, estimate, estimate_groups
from hushbit.analysis.counts.reading import Wanted
from hushbit.analysis.counts.sources import count_files, count_frame, count_stream
from hushbit.analysis.counts.tally import Counted, Tally
from hushbit.analysis.counts.values import Values, emoji, listed, read_list, words_of

__all__ = [
    "Counted",
    "Design",
    "Differences",
    "Estimates",
    "NaiveBayes",
    "Tally",
    "Values",
    "Wanted",
    "count_files",
    "count_frame",
    "count_stream",
    "design_of",
    "difference",
    "emoji",
    "estimate",
    "estimate_groups",
    "listed",
    "naive_bayes",
    "read_list",
    "words_of",
]
