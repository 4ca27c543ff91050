"""Who was in the training text? Three attacks on models of clean and of released text, as a table of Markdown.

The papers' attack, with a shadow model of text as it was typed; the same with a shadow model of released text; and
likelihood ratios over several shadow models (Carlini et al. 2022). All are asked with clean text. Of each: the area
under the curve, and the share of members found where 1 % and .1 % of the others are taken for members.

    tools/bench/members REVIEWS.parquet words.hushbit glove-6b-50d [--models N] [--json OUT]

The same files give the same table.
"""

import argparse
from pathlib import Path
from typing import Any

import hushbit
from hushbit._plumbing.documents import read_documents
from hushbit._plumbing.records import json_text
from hushbit.study.evaluate.inputs import EvaluationOptions, Inputs, prepare
from hushbit.study.evaluate.lira import MODELS, run_attacks
from hushbit.study.evaluate.reproducible import one_thread_each
from hushbit.study.evaluate.trial import typed_shadows
from hushbit.study.names import TITLES
from hushbit.toolchain.embeddings import read_embeddings

SETTINGS = {"brr": (10.0,), "tem": (3.0,), "crowd-many": (6.0,)}
ATTACKS = ("typed", "released", "likelihood ratio")


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description="Attack the members of training texts in three ways.")
    parser.add_argument("data", type=Path)
    parser.add_argument("bundle")
    parser.add_argument("embeddings")
    parser.add_argument(
        "--models", type=int, default=MODELS, help=f"shadow models of likelihood ratios (default: {MODELS})"
    )
    parser.add_argument("--json", type=Path, help="write all figures there, too")
    arguments = parser.parse_args()
    one_thread_each()
    inputs = _inputs(arguments.data, arguments.bundle, arguments.embeddings)
    shadows = typed_shadows(inputs)
    print("| | ε of a word | " + " | ".join(f"AUC, {_named(a)} | at 1 % | at .1 %" for a in ATTACKS) + " |")
    print("|---|--:|" + "--:|" * (3 * len(ATTACKS)))
    rows: list[dict[str, Any]] = []
    for setting in (None, *(each for each in inputs.settings if each.named_epsilon in SETTINGS[each.mechanism])):
        found = run_attacks(inputs, shadows, setting, 0, lambda: None, arguments.models)
        name = "clean text" if setting is None else f"{TITLES[setting.mechanism]}, {setting.named_epsilon:g}"
        epsilon = "" if setting is None else f"{setting.word_epsilon:.4g}"
        print(f"| {name} | {epsilon} | " + " | ".join(_cells(found, attack) for attack in ATTACKS) + " |", flush=True)
        rows.append({"name": name, "word_epsilon": None if setting is None else setting.word_epsilon, **found})
        if arguments.json is not None:
            arguments.json.write_text(json_text(rows, 1), encoding="utf-8")


def _inputs(data: Path, bundle: str, embeddings: str) -> Inputs:
    matched = sorted({epsilon for name in ("brr", "tem") for epsilon in SETTINGS[name]})
    options = EvaluationOptions(
        mechanisms=tuple(SETTINGS), epsilons=tuple(matched), word_epsilons=SETTINGS["crowd-many"], trials=1
    )
    return prepare(read_documents(data), hushbit.open(bundle), read_embeddings(embeddings), options)


def _named(attack: str) -> str:
    return attack if attack == "likelihood ratio" else f"shadow of {attack} text"


def _cells(found: dict[str, Any], attack: str) -> str:
    one = found[attack] if attack == "likelihood ratio" else found[attack]["clean"]
    half = max(one["high"] - one["auc"], one["auc"] - one["low"])
    return f"{one['auc']:.3f} ± {half:.3f} | {one['hits']['0.01']:.3f} | {one['hits']['0.001']:.3f}"


if __name__ == "__main__":
    main()
