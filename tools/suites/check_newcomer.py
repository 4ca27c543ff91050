#!/usr/bin/env python3
"""Installs a wheel as README says, with nothing else, and runs every command there: check_newcomer.py WHEEL DIRECTORY.

Every command and program of README and of the pages that it links, and each command of `hushbit` on a small input,
works or says which extra it needs; a page must name the extras of its commands. Prints how many commands ran.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
NEEDS = re.compile(r"this needs the package [\w-]+: pip install '\.\[(\w+)\]' in the source tree")
NAMES_EXTRA = re.compile(r"pip install '\.\[([\w,]+)\]'|\bextra\s+`(\w+)`")
# It installs extras in its first lines, and its commands are about data that are not in the repository.
ELSEWHERE = {"reproduction.md"}
SECONDS = 60

# Each command of `hushbit` that runs, a line that does it in the folder that `make_inputs` fills, and the extra that it
# asks for; None means that it works. An option may have a line of its own.
COMMANDS: dict[str, list[tuple[str, str | None]]] = {
    "audit": [("audit words.hushbit --epsilon 6", "privacy")],
    "budget reset": [("budget reset sent.budget", None)],
    "budget show": [("budget show sent.budget", None)],
    "calibrate": [("calibrate words.hushbit --unchanged .5", "privacy")],
    "compare": [("compare words.hushbit --embeddings vectors.txt", "privacy")],
    "corpus": [("corpus texts.csv --column text -o out", "corpus")],
    "count": [
        ("count reports.txt --epsilon 2", None),
        ("count reports.txt --epsilon 2 --plot counts.svg", "analysis"),
        ("count reports.txt --epsilon 2 -o counts.parquet", "analysis"),
    ],
    "discover": [("discover new.txt --epsilon 6", None)],
    "corrections": [("corrections bits --integer-bits 2 --fraction-bits 4 --epsilon 1", None)],
    "embed": [
        ("embed letters.txt", None),
        ("embed letters.txt -o embeddings.parquet", "corpus"),
        ("embed --projection encoder.projection vectors.npy", None),
    ],
    "encode": [("encode --encoder words.onnx --embeddings vectors.txt -o codes.npy", "encode")],
    "estimate": [("estimate texts.csv --column text -o counts.csv", "corpus")],
    "evaluate": [("evaluate texts.csv --bundle words.hushbit --embeddings vectors.txt -o figures", "evaluate")],
    "export": [
        ("export --embeddings vectors.txt --bits 64 --output-words all -o made.hushbit", None),
        ("export --embeddings vectors.txt --bits 64 --output-words all --set device=cuda -o gpu.hushbit", "train"),
        ("export --embeddings vectors.txt --bits 64 --encoder e.onnx -o encoder.hushbit", "encode"),
        ("export --embeddings glove-6b-50d --bits 64 -o glove.hushbit", "glove"),
    ],
    "hashing attack": [("hashing attack model.npz model.npz", "hashing")],
    "hashing cost": [
        ("hashing cost model.npz --features-of-term 2", None),
        ("hashing cost model.npz --features-of-term 2 --plot cost.png", "hashing"),
        ("hashing cost model.npz --corpus letters.txt", "hashing"),
    ],
    "hashing evaluate": [("hashing evaluate model.npz model.npz --texts texts.csv", "hashing")],
    "hashing privatize": [("hashing privatize model.npz -o private.npz", "hashing")],
    "inspect": [("inspect", None), ("inspect words.hushbit --json", None), ("inspect --cpu", None)],
    "key": [("key device.key", None)],
    "neighbors": [("neighbors words.hushbit weather", None)],
    "privacy": [("privacy words.hushbit --html page.html", "privacy")],
    "privatize": [
        ("privatize letters.txt", None),
        ("privatize letters.txt --budget sent.budget --budget-per-day 1000", None),
    ],
    "quality": [
        ("quality made.hushbit --embeddings vectors.txt", None),
        ("quality made.hushbit --embeddings vectors.txt --plot quality.png", "privacy"),
    ],
    "report": [("report letters.txt", None), ("report letters.txt --values new-words", None)],
    "sample": [("sample words.hushbit weather", "privacy")],
    "shuffle": [("shuffle spool mixed --least 2", None)],
    "verify": [("verify words.hushbit", None)],
}
ORDER = ["export", "key", "privatize"]
"""These first: what they write is the others' input."""

# What a program says that uses the package where an extra is missing.
PROGRAMS = {
    "import hushbit, hushbit.corpus, hushbit.errors, hushbit.hashing, hushbit.testing": None,
    "from hushbit.corpus import privatize": "corpus",
    "from hushbit.corpus import PrivatizeTransformer": "corpus",
    "from hushbit.analysis.words.estimate import channel_of": "corpus",
    "from hushbit.hashing.table.murmur import hash_features; hash_features(['a'], 8)": "hashing",
}

# In the newcomer's Python, which has numpy.
INPUTS = """
import numpy as np

words = [f"word{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(400)]
vectors = np.random.default_rng(0).normal(size=(len(words), 16))
with open("vectors.txt", "w") as file:
    for word, vector in zip(words, vectors):
        file.write(f"{word} {' '.join(f'{number:.4f}' for number in vector)}\\n")
with open("reports.txt", "w") as file:
    file.write("1\\n2\\n3\\n")
import os

for folder in ("spool", "mixed"):
    os.mkdir(folder)
with open("new.txt", "w") as file:
    file.writelines(f"{group * 1025 + 5}\\n" for group in range(12 * 256))
from hushbit.toolchain.projection import learn_projection

np.save("vectors.npy", vectors)
open("encoder.projection", "wb").write(learn_projection(vectors, 16))
open("moods.csv", "w").write("group,value\\ngood,line\\n")
open("answers.csv", "w").write("report\\n1\\n2\\n")
weights = np.random.default_rng(1).normal(size=(300, 1))
np.savez("model.npz", range=np.array(1024), hashes=np.arange(300) * 3, weights=weights)
"""


class Newcomer(NamedTuple):
    """An environment with what README installs."""

    folder: Path

    def run(self, line: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        """A line of the shell, with the environment's programs first."""
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        return subprocess.run(
            ["bash", "-ec", line],
            cwd=cwd,
            env=environment | {"PATH": path},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )


def install(wheel: Path, folder: Path) -> Newcomer:
    """A new environment with the wheel and what it requires. No package of an extra may come along."""
    venv.create(folder, with_pip=True, clear=True)
    python = str(folder / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-compile", str(wheel)], check=True)
    shown = subprocess.run(
        [python, "-m", "pip", "list", "--format=freeze"], check=True, stdout=subprocess.PIPE, text=True
    )
    there = {line.partition("==")[0].lower() for line in shown.stdout.splitlines()}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = {name_of(requirement) for requirement in project["dependencies"]}
    extra = {name_of(requirement) for group in project["optional-dependencies"].values() for requirement in group}
    if not needed <= there or extra - needed & there:
        sys.exit(f"README's install brings {sorted(there)}: not {sorted(needed)} and nothing of an extra")
    return Newcomer(folder)


def name_of(requirement: str) -> str:
    """The distribution that a requirement names."""
    return re.split(r"[^\w.-]", requirement)[0].lower()


# What the newcomer's own commands make for others.
REPORTS = """
mkdir reports
hushbit report --values emoji letters.txt | gzip > reports/monday.jsonl.gz
seq 3000 | sed "s|.*|zzqvxwk|" | hushbit report --values new-words > new-words.jsonl
"""


def make_inputs(newcomer: Newcomer, folder: Path) -> None:
    """What the commands read."""
    (folder / "app/src/main/assets").mkdir(parents=True)
    shutil.copy(ROOT / "python/hushbit/data/english.hushbit", folder / "words.hushbit")
    (folder / "letters.txt").write_text("first line\nsecond line\n")
    (folder / "texts.csv").write_text("text,label\nfirst line,0\nsecond line,1\n")
    (folder / "words.onnx").write_bytes(b"")
    for line in (f"python -c {shlex.quote(INPUTS)}", REPORTS):
        done = newcomer.run(line, folder)
        if done.returncode != 0:
            sys.exit(done.stderr)


# ---- Pages


def linked_pages() -> list[Path]:
    """README, and the pages of docs that it links."""
    targets = re.findall(r"\]\((docs/[\w-]+\.md)", README.read_text(encoding="utf-8"))
    return [README, *(ROOT / target for target in dict.fromkeys(targets) if Path(target).name not in ELSEWHERE)]


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a language."""
    found = re.findall(rf"^ *```{language}\n(.*?)^ *```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [re.sub(r"\\\n\s*", "", block) for block in found]


def lines_of(page: Path) -> list[str]:
    """The lines of a page that run `hushbit`, or make what it reads."""
    lines = [line.strip()[2:] for block in blocks(page, "console") for line in block.splitlines()]
    return [line for line in lines if re.match(r"(printf|echo|hushbit)\b", line)]


def check_page(newcomer: Newcomer, page: Path, folder: Path) -> Iterator[str]:
    """Runs what a page shows, in order; what is wrong."""
    text = page.read_text(encoding="utf-8")
    extras = {name for groups in NAMES_EXTRA.findall(text) for group in groups for name in group.split(",") if name}
    for line in lines_of(page):
        done = newcomer.run(line, folder)
        needed = NEEDS.search(done.stderr)
        if done.returncode == 0 or (done.returncode == 1 and needed and needed[1] in extras and page != README):
            continue
        yield f"{page.name}: $ {line}\n  exit {done.returncode}: {done.stderr.strip()}"
    if not extras:
        program = "\n".join(blocks(page, "python"))
        done = newcomer.run(f"python -c {shlex.quote(program)}", folder)
        if done.returncode != 0:
            yield f"{page.name}: its program\n  {done.stderr.strip()}"


# ---- Commands


def check_command(newcomer: Newcomer, line: str, extra: str | None, folder: Path) -> Iterator[str]:
    """Runs a line of COMMANDS; what is wrong."""
    done = newcomer.run(f"hushbit {line}", folder)
    yield from check_outcome(f"hushbit {line}", done, extra)


def check_program(newcomer: Newcomer, program: str, extra: str | None, folder: Path) -> Iterator[str]:
    """Runs one of PROGRAMS, which must fail by the class of errors that is there for it; what is wrong."""
    done = newcomer.run(f"python -c {shlex.quote(program)}", folder)
    yield from check_outcome(program, done, extra)
    if extra is not None and "hushbit.errors.MissingPackageError" not in done.stderr:
        yield f"{program}\n  does not raise MissingPackageError: {done.stderr.strip()}"


def check_outcome(what: str, done: subprocess.CompletedProcess[str], extra: str | None) -> Iterator[str]:
    """Exit code 0, or 1 with the extra's name."""
    needed = NEEDS.search(done.stderr)
    if done.returncode != (0 if extra is None else 1) or (needed[1] if needed else None) != extra:
        wanted = "work" if extra is None else f"name the extra {extra}"
        yield f"{what}\n  should {wanted}, but: exit {done.returncode}: {done.stderr.strip()}"


def unlisted(newcomer: Newcomer, folder: Path) -> list[str]:
    """Commands of the program that COMMANDS lacks, and the reverse."""
    program = (
        "import argparse, hushbit.cli as cli\n"
        "def walk(parser, name=''):\n"
        "    nested = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]\n"
        "    inner = [(f'{name} {w}'.strip(), p) for a in nested for w, p in a.choices.items()]\n"
        "    return [c for n, p in inner for c in walk(p, n)] if inner else [name]\n"
        "print(*walk(cli._parser()), sep='\\n')\n"
    )
    done = newcomer.run(f"python -c {shlex.quote(program)}", folder)
    return sorted(set(done.stdout.splitlines()) ^ set(COMMANDS))


def main() -> None:
    """Prints what is wrong, or how much ran."""
    wheel, folder = Path(sys.argv[1]), Path(sys.argv[2]).absolute()
    newcomer = install(wheel, folder / "environment")
    shutil.rmtree(folder / "work", ignore_errors=True)
    made = folder / "work" / "inputs"
    make_inputs(newcomer, made)
    problems: list[str] = []
    ran = 0
    for page in linked_pages():
        inputs = Path(shutil.copytree(made, folder / "work" / page.stem))
        problems += check_page(newcomer, page, inputs)
        ran += len(lines_of(page))
    inputs = Path(shutil.copytree(made, folder / "work" / "each command"))
    problems += [f"COMMANDS and the program differ by: {name}" for name in unlisted(newcomer, inputs)]
    for name in [*ORDER, *(name for name in COMMANDS if name not in ORDER)]:
        for line, extra in COMMANDS[name]:
            problems += check_command(newcomer, line, extra, inputs)
            ran += 1
    for program, extra in PROGRAMS.items():
        problems += check_program(newcomer, program, extra, inputs)
        ran += 1
    print(*problems, sep="\n")
    if problems or not lines_of(README):
        sys.exit(1)
    print(f"{ran} commands")


if __name__ == "__main__":
    main()
