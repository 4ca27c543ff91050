#!/usr/bin/env python3
"""Prints a few sentences beside their privatized forms and what releasing them costs.

show_demo.py MECHANISM… [--bundle BUNDLE]: without a bundle, the built-in English one.
"""

import argparse

import hushbit

SENTENCES = [
    "The weather was lovely, so we walked along the river.",
    "My doctor says the blood test came back fine.",
    "Can't wait to see you in Lisbon next month!",
    "They charged my card twice for the same ticket.",
]


def number(value: float) -> str:
    """Three digits, and no power of ten."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def main() -> None:
    """Privatizes each sentence once by each mechanism, with the bundle's default epsilon."""
    parser = argparse.ArgumentParser(description="Show what each mechanism makes of a few sentences.")
    parser.add_argument("mechanisms", nargs="+", choices=("crowd", "tem", "brr"))
    parser.add_argument("--bundle")
    arguments = parser.parse_args()
    bundle = hushbit.open(arguments.bundle)
    privatizers = {name: bundle.privatizer(name) for name in arguments.mechanisms}
    print(f"{bundle.words:,} known words, of which {bundle.info.output_words:,} may come out")
    for name, privatizer in privatizers.items():
        info = privatizer.info
        unit = "word" if info.epsilon_unit == "word" else "differing bit"
        worst = info.worst_case_per_token
        print(f"{name:<8}epsilon {number(info.effective_epsilon)} per {unit}; {number(worst)} for a word at worst")
    for sentence in SENTENCES:
        print(f"\ntyped   {sentence}")
        for name, privatizer in privatizers.items():
            released = privatizer.privatize(sentence)
            print(f"{name:<8}{released.text}")
            print(f"        costs {number(released.cost.worst_case)} at worst, for {released.cost.words} words")


if __name__ == "__main__":
    main()
