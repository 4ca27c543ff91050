#!/usr/bin/env python3
"""How often a reader names the right one of 1,000 messages, at each stop of the slider of the playground.

    tools/docs/playground_guesses MESSAGES.parquet web/playground/guesses.json

The same reader and the same messages as in tools/bench/named_texts, at more values of ε. `named` is the share that the
reader names from one embedding (exact, over all directions), `namedByWords` from the words (one draw for each message).
Embeddings are at an ε of the whole text, words at an ε of each word, by the default crowds.
"""

import argparse
import json
import sys
from pathlib import Path

import hushbit

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))
from named_texts import TEXTS, Embeddings, Words, read_texts  # found beside the other benches

# Of the whole text, and of each word. web/playground/levels.js has the same stops.
STOPS = [(0.5, 2.0), (1.0, 4.0), (2.0, 6.0), (4.0, 8.0), (6.0, 10.0)]


def main() -> None:
    """Writes a row for each stop."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("messages", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    bundle = hushbit.open()
    messages = read_texts(bundle, arguments.messages, "message", "spam", None)
    stops = []
    for text, word in STOPS:
        embeddings = Embeddings(bundle, text)
        named = embeddings.named(embeddings.crowds(messages.texts))
        by_words = Words(bundle, word, messages).named()
        stops.append({"text": text, "named": round(named, 5), "word": word, "namedByWords": round(float(by_words), 4)})
        print(stops[-1], flush=True)
    document = {"texts": TEXTS, "made": "tools/docs/playground_guesses", "stops": stops}
    arguments.output.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
