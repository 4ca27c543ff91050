"""Hushbit's own searches, timed inside native/bench/search_bench.cpp, so that no Python is measured."""

import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

import numpy as np

from hushbit.bundle.mih import encode_mih
from search_bench.data import Codes
from search_bench.method import Run

_ROW_BLOCK_SHIFT = 3


class NativeMethod:
    """One search of the running program."""

    exact = True
    settings: Sequence[str] = ("",)

    def __init__(self, name: str, program: subprocess.Popen[str], directory: Path) -> None:
        self.name = f"hushbit {name}"
        self._method = name
        self._program = program
        self._directory = directory

    def run(self, setting: str, queries: Codes, batch: int) -> Run:  # noqa: ARG002 - there is one setting
        """Searches the queries, `batch` a call."""
        queries_path, answers_path = self._directory / "queries", self._directory / "answers"
        queries.tofile(queries_path)
        to_program = cast(IO[str], self._program.stdin)
        to_program.write(f"{self._method} {batch} {queries_path} {answers_path}\n")
        to_program.flush()
        work: dict[str, float] = json.loads(_answer_of(self._program))
        distances = np.fromfile(answers_path, dtype="<u4").reshape(-1, 3)[:, 0]
        return Run(work.pop("median_us"), distances, work)


@contextmanager
def native_methods(program: Path, codes: Codes, kernels: str) -> Iterator[tuple[list[NativeMethod], dict[str, int]]]:
    """The searches of a vocabulary, and the size of what they need in bytes."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        sections = {"rows": codes.tobytes(), "mih": encode_mih(codes, _ROW_BLOCK_SHIFT)}
        for section, data in sections.items():
            (directory / section).write_bytes(data)
        command = [str(program), name, str(codes.shape[1] * 8), kernels]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
            names = json.loads(_answer_of(running))
            sizes = {section: len(data) for section, data in sections.items()}
            yield [NativeMethod(method, running, directory) for method in names], sizes


def _answer_of(program: subprocess.Popen[str]) -> str:
    line = cast(IO[str], program.stdout).readline()
    if not line:
        raise RuntimeError(f"search_bench ended with exit code {program.wait()}")
    return line
