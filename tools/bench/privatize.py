"""How many words a second `hushbit privatize` writes by each mechanism, on one thread, beside the Madlib of mldp-text.

privatize.py [BUNDLE] --peer PYTHON: a Python with mldp-text, in which this file runs itself once more as `--as-peer`.
Time is that of the processor, start of the program included, so that other work on the machine changes little.
"""

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

WORDS_A_LINE = 15
PEER_EPSILON = 10.0  # at which some words change and some do not
CROWDS = ["--mechanism", "crowd", "--epsilon", "6", "--crowd-size"]
# Options of `hushbit privatize`, and what part of the text they get: the slow ones less.
FORMS: dict[str, tuple[Sequence[str], float]] = {
    "crowd many": ([*CROWDS, "many"], 1.0),
    "crowd many, --json": ([*CROWDS, "many", "--json"], 0.25),
    "crowd few": ([*CROWDS, "few"], 1.0),
    "crowd one": ([*CROWDS, "one"], 1.0),
    "brr": (["--mechanism", "brr", "--epsilon", "1"], 0.1),
    "tem": (["--mechanism", "tem", "--epsilon", "1"], 0.05),
}


def main() -> int:
    """Prints a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundle", nargs="?", help="bundle (default: the built-in one)")
    parser.add_argument("--peer", help="a Python that has mldp-text")
    parser.add_argument("--words", type=int, default=4_000_000, help="number of words of the text (default: 4000000)")
    parser.add_argument(
        "--peer-words", type=int, default=300, help="number of words of it, for the peer (default: 300)"
    )
    parser.add_argument("--as-peer", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.as_peer:
        run_peer(arguments.peer_words)
        return 0
    if arguments.peer is None:
        parser.error("--peer is needed: use tools/bench/privatize")
    with tempfile.TemporaryDirectory() as folder:
        compare(arguments, Path(folder))
    return 0


def english_words(bundle: str | None) -> list[str]:
    """The known words that are spelled in letters."""
    import hushbit

    opened = hushbit.open(bundle) if bundle else hushbit.open()
    return [word for word in map(opened.word, range(len(opened))) if word.isalpha()]


def write_text(file: Path, words: Sequence[str], count: int) -> int:
    """Words drawn uniformly, in lines that end with a period; how many there are."""
    draw = random.Random(1)
    lines = count // WORDS_A_LINE
    with file.open("w", encoding="utf-8") as text:
        text.writelines(" ".join(draw.choices(words, k=WORDS_A_LINE)) + ".\n" for _ in range(lines))
    return lines * WORDS_A_LINE


def compare(arguments: argparse.Namespace, folder: Path) -> None:
    """Runs all, one after the other, and prints how many words a second each takes."""
    words = english_words(arguments.bundle)
    texts = {part: folder / f"{part}.txt" for _, part in FORMS.values()}
    counts = {part: write_text(file, words, int(arguments.words * part)) for part, file in texts.items()}
    peer_command = [arguments.peer, __file__, "--as-peer", "--peer-words", str(arguments.peer_words)]
    with min(texts.items())[1].open("rb") as text:
        said = subprocess.run(peer_command, check=True, stdout=subprocess.PIPE, stdin=text).stdout
    peer = float(said.splitlines()[-1])
    print(f"{arguments.bundle or 'built-in bundle'}: words a second of one core, ratio to the peer")
    print(f"{'Madlib of mldp-text':<24}{peer:>12,.0f}{1:>10}")
    bundle = [arguments.bundle] if arguments.bundle else []
    for name, (options, part) in FORMS.items():
        command = [sys.executable, "-m", "hushbit", "privatize", *bundle, str(texts[part]), "--threads", "1", *options]
        seconds = processor_seconds(command)
        print(f"{name:<24}{counts[part] / seconds:>12,.0f}{counts[part] / seconds / peer:>10,.0f}", flush=True)


def processor_seconds(command: list[str]) -> float:
    """The seconds of a program that is run to its end, in user and kernel mode."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def run_peer(count: int) -> None:
    """Prints how many words of the text on standard input its Madlib replaces in a second; those that it knows."""
    from mldp_text.mechanisms import MultivariateCalibrated
    from mldp_text.utils import EMBED, validate_and_load_embeddings

    vectors = validate_and_load_embeddings(EMBED)
    known = [word for word in sys.stdin.read().replace(".", " ").split() if word in vectors.key_to_index]
    words = known[:count]
    mechanism = MultivariateCalibrated(PEER_EPSILON, embedding_matrix=vectors)
    mechanism.replace_word(words[0])
    began = time.process_time()
    for word in words:
        mechanism.replace_word(word)
    print(len(words) / (time.process_time() - began))


if __name__ == "__main__":
    sys.exit(main())
