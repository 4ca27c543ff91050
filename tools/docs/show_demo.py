#!/usr/bin/env python3
"""Prints a few sentences beside their privatized forms and what releasing them costs: show_demo.py BUNDLE."""

import sys

import hushbit

SENTENCES = [
    "The weather was lovely, so we walked along the river.",
    "My doctor says the blood test came back fine.",
    "Can't wait to see you in Lisbon next month!",
    "They charged my card twice for the same ticket.",
]


def main() -> None:
    """Privatizes each sentence once, with the bundle's default epsilon."""
    bundle = hushbit.open(sys.argv[1])
    privatizer = bundle.privatizer()
    info = privatizer.info
    print(f"{bundle.words:,} words, {bundle.bits} bits, epsilon {info.effective_epsilon:.3f} per differing bit;")
    print(f"for one word {info.average_per_token:.1f} on average, {info.worst_case_per_token:.1f} at worst.\n")
    for sentence in SENTENCES:
        released = privatizer.privatize(sentence)
        cost = released.cost
        print(f"typed    {sentence}")
        print(f"private  {released.text}")
        print(f"cost     {cost.average:.0f} on average, {cost.worst_case:.0f} at worst ({cost.words} words)\n")


if __name__ == "__main__":
    main()
