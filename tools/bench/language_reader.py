"""What a language model guesses of released reviews: a stronger reader than that of `hushbit evaluate`.

SmolLM2-135M has read two trillion tokens. It goes through a released review from the left: at each word it knows what
it guessed before, and weighs how likely each word that may have been typed is to follow by how likely that word is to
have become the released one. So it sees what is before a word and not what is behind. Beside it: a reader who knows how
frequent words are, and one who knows the words before as they were typed, which no reader of this model that goes from
the left outdoes. How much the model counts is chosen on the reader's own reviews, as in `hushbit evaluate`.

    tools/bench/language_reader REVIEWS.parquet english.hushbit glove-6b-50d [--json OUT]

With intervals of 95 % over words. The same files give the same table.
"""

import argparse
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from language_model import LanguageModel
from numpy.typing import NDArray

import hushbit
from hushbit._plumbing.documents import read_documents
from hushbit._plumbing.records import json_text
from hushbit.study.evaluate.corpus import Corpus
from hushbit.study.evaluate.draws import privatize
from hushbit.study.evaluate.evidence import Evidence, Suggestions, TypedWords
from hushbit.study.evaluate.inputs import EvaluationOptions, Inputs, prepare
from hushbit.study.evaluate.inversion import share
from hushbit.study.evaluate.plan import Setting, make_mechanism
from hushbit.study.evaluate.reading import Attacked, best_weight, likelihoods_of
from hushbit.study.evaluate.reproducible import one_thread_each, seed_of
from hushbit.study.names import TITLES
from hushbit.toolchain.embeddings import extended, read_definitions, read_embeddings

SETTINGS = {"crowd-many": (6.0,), "crowd-few": (7.0,), "tem": (3.0,)}
OWN, OTHERS, WORDS = 6, 12, 60
"""Documents to choose weights by, documents to attack, and words that are read of each."""
NEW_WORDS = Path(__file__).resolve().parents[2] / "tools/generate/english_new_words.txt"
"""The new words of the built-in bundle; other bundles do not have them."""
READERS = ("frequencies", "language model", "knows the words before")

Floats = NDArray[np.float32]


class Texts:
    """Typed words as the tokens of a language model."""

    def __init__(self, inputs: Inputs, typed: TypedWords, model: LanguageModel) -> None:
        words = [inputs.bundle.word(int(word)) for word in typed.ids]
        self.tokens = model.tokens([word if word.startswith("'") or word == "n't" else f" {word}" for word in words])
        self._first = np.array([each[0] for each in self.tokens])
        mass = np.bincount(self._first, np.exp(typed.log_prior.astype(np.float64)), self._first.max() + 1)
        with np.errstate(divide="ignore"):
            self._log_mass = np.log(mass).astype(np.float32)

    def adds(self, logs: torch.Tensor, words: NDArray[np.int64]) -> Floats:
        """What the chances of the next token (vocabulary,) add to the logs of frequency and likelihood of typed words.

        A word begins with its first token; words with the same first token are told apart by their frequency.
        """
        first = self._first[words]
        return np.asarray(logs.numpy()[first] - self._log_mass[first])


def read_by_guesses(model: LanguageModel, texts: Texts, known: Evidence, starts: NDArray[np.int64]) -> Floats:
    """What the model adds for each candidate of each place, if it knows its own guesses of the words before."""
    lengths, found = np.diff(starts), np.zeros_like(known.logs)
    cache = model.empty(len(lengths), int(lengths.max()) * max(map(len, texts.tokens)) + 1)
    filled = torch.zeros(len(lengths), dtype=torch.long)
    logs = list(model.read(torch.full((len(lengths), 1), model.start), filled, cache)[:, 0])
    filled += 1
    for step in range(int(lengths.max())):
        guessed: list[list[int]] = []
        for document, length in enumerate(lengths):
            if step >= length:
                guessed.append([])
                continue
            place = starts[document] + step
            found[place] = texts.adds(logs[document], known.words[place])
            guessed.append(texts.tokens[known.words[place, (known.logs[place] + found[place]).argmax()]])
        for j in range(max(map(len, guessed))):
            fed = torch.tensor([[each[j] if j < len(each) else 0] for each in guessed])
            read = model.read(fed, filled, cache)[:, 0]
            for document, each in enumerate(guessed):
                if j < len(each):  # what the others were fed is written over
                    filled[document] += 1
                    logs[document] = read[document]
    return found


def read_by_truth(
    model: LanguageModel, texts: Texts, known: Evidence, truth: NDArray[np.int64], starts: NDArray[np.int64]
) -> Floats:
    """The same, if it knows the words before as they were typed."""
    found = np.zeros_like(known.logs)
    for first, end in pairwise(starts):
        tokens = [texts.tokens[word] for word in truth[first:end]]
        line = [model.start, *(token for word in tokens for token in word)]
        before = np.cumsum([0, *map(len, tokens)])
        logs = model.read(torch.tensor([line]), torch.zeros(1, dtype=torch.long), model.empty(1, len(line)))[0]
        for place, at in zip(range(first, end), before, strict=False):
            found[place] = texts.adds(logs[at], known.words[place])
    return found


def some_of(attacked: Attacked) -> tuple[Corpus, int]:
    """The beginnings of some documents: the reader's own, how many words these are, and then those to attack."""
    text = attacked.released
    own = int(np.searchsorted(text.starts, attacked.weighed))
    chosen = [*range(min(OWN, own)), *range(own, min(own + OTHERS, len(text)))]
    ids = [text.ids[text.starts[i] : min(text.starts[i + 1], text.starts[i] + WORDS)] for i in chosen]
    starts = np.cumsum([0, *map(len, ids)])
    return Corpus(np.concatenate(ids), starts), int(starts[min(OWN, own)])


def attack(inputs: Inputs, attacked: Attacked, model: LanguageModel, texts: Texts, setting: Setting) -> dict[str, Any]:
    """What each reader guesses at one setting, as a JSON document."""
    text, own = some_of(attacked)
    generator = np.random.default_rng(seed_of(0, "language reader", setting.mechanism, setting.named_epsilon))
    mechanism = make_mechanism(inputs.bundle, inputs.vectors, setting)
    released = privatize(mechanism, text.ids, generator)
    typed, truth = attacked.typed, attacked.typed.indices_of(text.ids)
    likelihoods, _ = likelihoods_of(inputs, setting, mechanism, typed, generator, lambda: None)
    (suggestions,) = Suggestions.by_priors(released[None], likelihoods, [typed.log_prior])
    known = suggestions.evidence(released[None], likelihoods)
    ways = {
        "frequencies": np.zeros_like(known.logs),
        "language model": read_by_guesses(model, texts, known, text.starts),
        "knows the words before": read_by_truth(model, texts, known, truth, text.starts),
    }
    rare = attacked.rare[truth]
    found: dict[str, Any] = {"words": len(truth) - own, "rare": int(rare[own:].sum())}
    for name, added in ways.items():
        weight = best_weight(known.rows(np.arange(own)), added[:own], truth[:own])
        scores = known.logs + np.float32(weight) * added
        right = known.words[np.arange(len(truth)), scores.argmax(axis=1)] == truth
        found[name] = {
            "weight": weight,
            "all": share(right[own:].astype(np.float64)),
            "rare": share(right[own:][rare[own:]].astype(np.float64)),
        }
    return found


def _cell(found: dict[str, float]) -> str:
    return f"{found['mean']:.3f} ({found['low']:.3f} to {found['high']:.3f})"


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description="Guess released words with a language model.")
    parser.add_argument("model", type=Path, help="a GGUF file")
    parser.add_argument("data", type=Path)
    parser.add_argument("bundle")
    parser.add_argument("embeddings")
    parser.add_argument("--json", type=Path, help="write all figures there, too")
    arguments = parser.parse_args()
    one_thread_each()
    of_words = (*SETTINGS["crowd-many"], *SETTINGS["crowd-few"])
    matched = SETTINGS["tem"]
    options = EvaluationOptions(mechanisms=tuple(SETTINGS), epsilons=matched, word_epsilons=of_words, trials=1)
    bundle = hushbit.open(arguments.bundle)
    embeddings = extended(read_embeddings(arguments.embeddings), read_definitions(NEW_WORDS))
    inputs = prepare(read_documents(arguments.data), bundle, embeddings, options)
    attacked, model = Attacked(inputs), LanguageModel(arguments.model)
    texts = Texts(inputs, attacked.typed, model)
    print("| | ε of a word | " + " | ".join(f"{name}, {words}" for name in READERS for words in ("all", "rare")) + " |")
    print("|---|--:|" + "--:|" * (2 * len(READERS)))
    rows: list[dict[str, Any]] = []
    for setting in inputs.settings:
        if setting.named_epsilon not in SETTINGS[setting.mechanism]:
            continue
        print(f"{setting.mechanism}, {setting.named_epsilon:g}", file=sys.stderr, flush=True)
        found = attack(inputs, attacked, model, texts, setting)
        cells = [_cell(found[name][words]) for name in READERS for words in ("all", "rare")]
        name = f"{TITLES[setting.mechanism]}, {setting.named_epsilon:g}"
        print(f"| {name} | {setting.word_epsilon:.4g} | {' | '.join(cells)} |", flush=True)
        rows.append({"name": name, "word_epsilon": setting.word_epsilon, **found})
        if arguments.json is not None:
            arguments.json.write_text(json_text(rows, 1), encoding="utf-8")


if __name__ == "__main__":
    main()
