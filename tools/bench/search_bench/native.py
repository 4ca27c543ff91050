"""Hushbit's own searches, timed inside native/bench/search_bench.cpp, so that no Python is measured."""

import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, cast

import numpy as np

from hushbit import _core
from hushbit._plumbing.progress import no_progress
from hushbit.toolchain.bundle.container import Header, assemble, encode_sections
from hushbit.toolchain.bundle.plan import mih_flips
from search_bench.data import Codes
from search_bench.method import Run


class NativeMethod:
    """One search of the running program."""

    exact = True
    settings: Sequence[str] = ("",)

    def __init__(self, name: str, program: subprocess.Popen[str], directory: Path) -> None:
        self.name = f"hushbit {name}"
        self._method = name
        self._program = program
        self._directory = directory

    def run(self, setting: str, queries: Codes, batch: int, noise: float) -> Run:  # noqa: ARG002
        """Searches the queries, `batch` a call."""
        queries_path, answers_path = self._directory / "queries", self._directory / "answers"
        queries.tofile(queries_path)
        to_program = cast(IO[str], self._program.stdin)
        to_program.write(f"{self._method} {batch} {noise * queries.shape[1] * 8} {queries_path} {answers_path}\n")
        to_program.flush()
        work: dict[str, float] = json.loads(_answer_of(self._program))
        distances = np.fromfile(answers_path, dtype="<u4").reshape(-1, 3)[:, 0]
        return Run(work.pop("median_us"), distances, work)


@contextmanager
def native_methods(program: Path, codes: Codes, kernels: str) -> Iterator[tuple[list[NativeMethod], dict[str, int]]]:
    """The searches of a vocabulary, and the size of what they need in bytes."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        for index in ("both", "mih"):
            (directory / index).write_bytes(_bundle(codes, index))
        command = [str(program), name, kernels]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
            names = json.loads(_answer_of(running))
            sizes = {section.name: section.length for section in _core.Bundle.open(f"{name}/both").sections()}
            yield [NativeMethod(method, running, directory) for method in names], sizes


def _bundle(codes: Codes, index: str) -> bytes:
    """A bundle with the plan that export would make."""
    words = [b"%08d" % i for i in range(len(codes))]
    sections = encode_sections(words, codes, index)
    header = Header(1.0, 0.0, codes.shape[1] * 8, _core.UNICODE_VERSION, "brr")
    draft = _core.Bundle.from_bytes(assemble(header, b"{}", sections))
    flips = mih_flips(draft, "clusters" if index == "both" else "rows", 0, no_progress)
    return assemble(replace(header, mih_flips=flips), b"{}", sections)


def _answer_of(program: subprocess.Popen[str]) -> str:
    line = cast(IO[str], program.stdout).readline()
    if not line:
        raise RuntimeError(f"search_bench ended with exit code {program.wait()}")
    return line
