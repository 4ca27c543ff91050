"""The results as tables of text, which the terminal and the web page both show."""

import math
from dataclasses import dataclass
from typing import Any

from hushbit.study.evaluate.inversion import RELEASES
from hushbit.study.evaluate.plan import Setting
from hushbit.study.evaluate.results import TIMING_KEY
from hushbit.study.evaluate.summary import (
    KNOWING,
    QUERIES,
    Row,
    attained_of,
    inversions_of,
    pairs_of,
    readings_of,
    rows_of,
    settings_of,
)
from hushbit.study.names import BY_LARGEST, TITLES
from hushbit.study.privacy.attained import Attained
from hushbit.study.privacy.figures import Mean
from hushbit.study.privacy.table import Table

WAYS = TITLES | {"madlib exact": "Madlib, exact", "madlib annoy": "Madlib, Annoy"}
_EVERY = "Rows with the same ε of Madlib make the same promise for an average pair of words: their ε·P_avg is equal."
_BY_LARGEST = " Rows by P_max make the same promise for the farthest pair."
_OF_A_WORD = (
    " ε of a word: its local-DP ε, the worst case over all pairs of words, as it is proved. ε of a text: the sum over "
    "a text of average length. Compare mechanisms by these, and by what a reader guesses."
)
_ATTAINED = (
    " Attained: what the released word attains of the ε of a word. Without a sign it is exact; with ≥ it is certified "
    "at 95 % for one pair of words, and the truth lies between it and the ε of a word."
)
OWN = "own ε"
"""The last of the columns that name a row."""


def tables_of(document: dict[str, Any]) -> list[Table]:
    """The tables of what was run, utility, membership inference, inversion, time and size, if there are results of
    them.
    """
    rows = rows_of(document)
    naming = _Naming.of(document)
    tables = [_run(document)]
    if rows:
        tables += [_utility(rows, naming), _membership(rows, naming)]
    inversions = inversions_of(document)
    if inversions:
        tables += [_inversion(inversions, naming), _repeats(inversions, naming)]
    pairs = pairs_of(document)
    if pairs:
        tables.append(_pairs(pairs, naming))
    readings = readings_of(document)
    if readings:
        tables += [_reading(readings, naming), _reading_again(readings, naming)]
    if TIMING_KEY in document["done"]:
        tables.append(_timing(document["done"][TIMING_KEY], document))
    return tables


@dataclass(frozen=True)
class _Naming:
    """The columns that name a row. What old results lack is left out."""

    average_distance: float
    """The P_avg of the real vectors, by which Madlib's ε is multiplied."""
    bits: float
    """P_avg of the codes."""
    by_largest: bool
    """Whether some are matched by P_max."""
    of_words: bool
    """Whether settings say the ε of a word."""
    tokens: float
    """The mean number of tokens of a text."""
    attained: dict[Setting, Attained]
    """Bounds of what the ε of a word attains; empty if they were not computed."""

    @classmethod
    def of(cls, document: dict[str, Any]) -> "_Naming":
        settings = settings_of(document)
        distances, coverage = document["distances"], document["coverage"]
        return cls(
            distances["vectors_average"],
            distances["codes_average"],
            by_largest=any(setting.mechanism in BY_LARGEST for setting in settings),
            of_words=bool(settings) and all(setting.word_epsilon is not None for setting in settings),
            tokens=(coverage["words"] + coverage["unknown"]) / document["protocol"]["data"]["documents"],
            attained=dict(attained_of(document)),
        )

    @property
    def columns(self) -> list[str]:
        words = ["ε of a word", *(["attained"] if self.attained else []), "ε of a text", "ε·P_avg"]
        return ["mechanism", *(words if self.of_words else []), "Madlib's ε", OWN]

    @property
    def note(self) -> str:
        return (
            _EVERY
            + (_BY_LARGEST if self.by_largest else "")
            + (_OF_A_WORD if self.of_words else "")
            + (_ATTAINED if self.attained else "")
        )

    def cells(self, setting: Setting | None) -> list[str]:
        if setting is None:
            return ["clean text", *([""] * (len(self.columns) - 1))]
        madlib = setting.madlib_epsilon
        largest = setting.mechanism in BY_LARGEST
        promised = setting.epsilon * self.bits if largest else (madlib or 0.0) * self.average_distance
        average = "" if madlib is None else f"{promised:.1f}"
        middle = [*self._of_a_word(setting), average] if self.of_words else []
        return [TITLES[setting.mechanism], *middle, "" if madlib is None else f"{madlib:g}", f"{setting.epsilon:.4g}"]

    def _of_a_word(self, setting: Setting) -> list[str]:
        proved = setting.word_epsilon or 0.0
        cells = [f"{proved:.4g}"]
        if self.attained:
            found = self.attained.get(setting)
            cells.append("" if found is None else str(found))
        return [*cells, f"{proved * self.tokens:,.0f}"]


def _run(document: dict[str, Any]) -> Table:
    protocol, coverage, machine = document["protocol"], document["coverage"], document["machine"]
    data, bundle, embeddings = protocol["data"], protocol["bundle"], protocol["embeddings"]
    rows = [
        ["data", f"{data['name']}, {data['documents']:,} documents, classes {', '.join(data['classes'])}"],
        ["words", f"{coverage['words']:,} known, {coverage['unknown_share']:.1%} of the tokens unknown and left out"],
        ["vocabulary", f"{bundle['words']:,} words, codes of {bundle['bits']} bits, bundle {bundle['hash'][:12]}"],
        ["embeddings", f"{embeddings['name']}, {embeddings['dimensions']} dimensions"],
        ["trials", f"{document['trials']}, seed {protocol['seed']}, {protocol['classifier']['epochs']} epochs"],
        ["machine", f"{machine['processor']}, {machine['processors']} processors, {machine['system']}"],
    ]
    return Table("What was run", ["", ""], rows)


def _utility(rows: list[Row], naming: _Naming) -> Table:
    others = {"bag of words": [row.bag for row in rows], "frozen vectors": [row.frozen for row in rows]}
    others = {name: values for name, values in others.items() if None not in values}
    columns = [*naming.columns, "unchanged", "accuracy", "control", "less control", *others]
    cells = [
        [
            *naming.cells(row.setting),
            f"{row.unchanged.mean:.3f}",
            text(row.accuracy),
            "" if row.control is None else text(row.control),
            "" if row.gain is None else text(row.gain, signed=True),
            *(text(value) for values in others.values() if (value := values[place]) is not None),
        ]
        for place, row in enumerate(rows)
    ]
    over = f"over {rows[0].trials} trials" if rows[0].trials > 1 else "over test documents, there being one trial"
    note = (
        f"Trained on privatized text, tested on clean text. Intervals of 95 % {over}. The control keeps as large a "
        "share of words unchanged and replaces the others by any word: what a mechanism adds is its distance from "
        "that. Beside the papers' classifier, whose vectors are trained along: a bag of words, which needs the very "
        "word, and a linear model on the mean of frozen vectors. " + naming.note
    )
    return Table("Utility", columns, cells, note)


def _membership(rows: list[Row], naming: _Naming) -> Table:
    shadows = list(rows[0].auc)
    columns = [*naming.columns, *(auc_column(shadow, query) for shadow in shadows for query in QUERIES)]
    shown = [(shadow, query, share) for shadow in shadows for query in QUERIES for share in rows[0].hits[shadow][query]]
    columns += [hits_column(*each) for each in shown]
    cells = [
        [
            *naming.cells(row.setting),
            *(text(row.auc[shadow][query]) for shadow in shadows for query in QUERIES),
            *(text(row.hits[shadow][query][share]) for shadow, query, share in shown),
        ]
        for row in rows
    ]
    note = (
        "How well an attacker with a shadow model tells documents of the training half from others; 0.5 is chance. "
        "The papers train the shadow model on text as it was typed; the variant trains it on text that was released as "
        "the attacked model's was. Asked with clean text, the attacker knows a document as it was written and wants to "
        "know whether its author took part: so the papers seem to ask, whose figures are near 0.5 at small ε. Asked "
        "with privatized text, the attacker recognizes what was released, noise and all. Members found: the share of "
        "members named where so few others are."
    )
    return Table("Membership inference", columns, cells, note)


def auc_column(shadow: str, query: str) -> str:
    """The name of a column of the table of membership inference."""
    return f"AUC, shadow of {shadow} text, asked with {query} text"


def hits_column(shadow: str, query: str, share: float) -> str:
    """The name of a column of members found."""
    return f"members found at {100 * share:g} % of others, shadow of {shadow} text, asked with {query} text"


def _inversion(found: list[tuple[Setting, dict[str, Any]]], naming: _Naming) -> Table:
    # The attack by the likelihood alone does not know how frequent words are. Old results lack it.
    alone = all("likelihood" in result["attacks"] for _, result in found)
    columns = [*naming.columns, "unchanged", "nearest", *(["no prior"] if alone else []), "Bayes", "likelihood"]
    columns += ["at most", "nearest of 10", "Bayes of 10", "at most of 10", "bound"]
    cells = []
    for setting, result in found:
        attacks = {name: attack["1"] for name, attack in result["attacks"].items()}
        most = attacks.get("bayes from the noise", attacks["bayes"])
        row = [*naming.cells(setting), f"{result['unchanged']['mean']:.3f}"]
        shown = ["nearest", *(["likelihood"] if alone else []), "bayes"]
        row += [*(_share(attacks[name]["top1"]) for name in shown), result["likelihood"]]
        row += [_share(most["top1"])]
        row += [_share(attack["top10"]) for attack in (attacks["nearest"], attacks["bayes"], most)]
        cells.append([*row, f"{result['bound']['1']['top1']:.3f}"])
    first = found[0][1]
    note = (
        f"How often a released word is traced back to the word typed, among the {first['candidates']:,} most frequent "
        f"words, typed as often as they occur; without seeing anything, {first['prior']['top1']:.3f} are guessed, and "
        f"{first['prior']['top10']:.3f} in ten guesses. At most: what the noise itself, which nobody sees, would give "
        "away. Bound: what the guarantee alone says; 1 is nothing. "
        + ("No prior: without knowing how frequent words are. " if alone else "")
    ) + naming.note
    return Table("Inversion of one release", columns, cells, note)


def _repeats(found: list[tuple[Setting, dict[str, Any]]], naming: _Naming) -> Table:
    columns = naming.columns
    columns += [f"{name}, {k} releases" for name in ("nearest", "Bayes") for k in RELEASES]
    cells = [
        [
            *naming.cells(setting),
            *(_share(result["attacks"][name][str(k)]["top1"]) for name in ("nearest", "bayes") for k in RELEASES),
        ]
        for setting, result in found
    ]
    return Table("Inversion of repeated releases", columns, cells, "The same word released again with fresh noise.")


def _pairs(found: list[tuple[Setting | None, dict[str, Any]]], naming: _Naming) -> Table:
    ways = [name for name, value in found[0][1].items() if isinstance(value, dict)]
    figures = {"top1": "first", "top10": "among 10", "reciprocal_rank": "reciprocal rank"}
    columns = [*naming.columns, *(f"{way}, {title}" for way in ways for title in figures.values())]
    cells = [
        [*naming.cells(setting), *(f"{result[way][figure]:.3f}" for way in ways for figure in figures)]
        for setting, result in found
    ]
    note = (
        f"How often the text that belongs to a privatized one is found among the {found[0][1]['pairs']:,} texts of the "
        "pairs, as written: by the cosine of mean word vectors, and by that of tf-idf. " + naming.note
    )
    return Table("Matching pairs", columns, cells, note)


def _reading(found: list[tuple[Setting, dict[str, Any]]], naming: _Naming) -> Table:
    """The table of one release of running text, by what the reader knows."""
    columns = [*naming.columns, "unchanged"]
    columns += [f"{name}, {words}" for name in KNOWING for words in ("all", "rare")]
    columns += ["context adds, rare", "10 guesses, all", "10 guesses, rare", "likelihood"]
    cells = []
    for setting, result in found:
        once = {name: result["attacks"][name]["1"] for name in KNOWING}
        added = once["context"]["rare"]["top1"]["mean"] - once["frequencies"]["rare"]["top1"]["mean"]
        cells.append(
            [
                *naming.cells(setting),
                _share(result["unchanged"]),
                *(_share(once[name][words]["top1"]) for name in KNOWING for words in ("all", "rare")),
                f"{added:+.3f}",
                *(_share(once["context"][words]["top10"]) for words in ("all", "rare")),
                result["likelihood"],
            ]
        )
    first = found[0][1]
    note = (
        f"The share of {first['words']:,} words of running text that the first guess names: of all, and of the "
        f"{first['rare_words']:,} rare ones, which are those beyond the {first['frequent']} most frequent. One reader "
        "knows nothing but the mechanism, one how frequent words are, and one also reads the context, with a network "
        "that learned from the other half of the documents. Context is what privacy of single words does not "
        "hide; a large language model guesses more. "
    ) + naming.note
    return Table("Inversion of running text", columns, cells, note)


def _reading_again(found: list[tuple[Setting, dict[str, Any]]], naming: _Naming) -> Table:
    several = [k for k in found[0][1]["attacks"]["context"] if k != "1"]
    columns = [*naming.columns, *(f"{name}, {k} releases" for name in KNOWING[1:] for k in several)]
    cells = [
        [
            *naming.cells(setting),
            *(_share(result["attacks"][name][k]["rare"]["top1"]) for name in KNOWING[1:] for k in several),
        ]
        for setting, result in found
    ]
    note = "The same text released again with fresh noise: rare words that the first guess names."
    return Table("Inversion of repeated running text", columns, cells, note)


def _timing(timing: dict[str, Any], document: dict[str, Any]) -> Table:
    columns = ["", "ε", "one word", "a word in a batch", "whole corpus", "vocabulary", "codes or index", "in all"]
    cells = [
        [
            WAYS[row["name"]],
            f"{row['epsilon']:.4g}",
            f"{1e3 * row['word_seconds']:.3f} ms",
            f"{1e3 * row['batch_word_seconds']:.3f} ms",
            f"{row['corpus_seconds']:.0f} s",
            *(f"{row['bytes'][part] / 1e6:.1f} MB" for part in ("vocabulary", "index", "total")),
        ]
        for row in timing["rows"]
    ]
    annoy = timing["annoy"]
    note = (
        f"Time of one processor. The corpus has {document['coverage']['words']:,} words; its time is that of "
        f"{timing['sample']:,} of them, scaled. Annoy has {annoy['trees']} trees, was built in "
        f"{annoy['build_seconds']:.1f} s, and finds the nearest word in {annoy['recall']:.1%} of draws."
    )
    return Table("Time and size", columns, cells, note)


def text(value: Mean, *, signed: bool = False) -> str:
    """The mean and the larger half of its interval, if there is one."""
    half = max(value.mean - value.low, value.high - value.mean)
    mean = f"{value.mean:+.3f}" if signed else f"{value.mean:.3f}"
    return f"{mean} ± {half:.3f}" if math.isfinite(half) else mean


def _share(value: dict[str, float]) -> str:
    return f"{value['mean']:.3f}"
