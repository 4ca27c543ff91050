"""Keeps results.json: everything needed to redraw, and to go on after an interruption."""

import json
from pathlib import Path
from typing import Any

from hushbit._plumbing.atomic import write_atomically
from hushbit._plumbing.records import json_text
from hushbit.errors import InputFileError, InvalidArgumentError
from hushbit.study.evaluate.plan import Setting

FORMAT = 3
NAME = "results.json"
DEPTH = 2  # a piece of work is a line
TIMING_KEY = "timing"


def trial_key(trial: int, setting: Setting | None) -> str:
    """The name of a trial. It is of clean text if there is no setting."""
    name = "clean" if setting is None else f"{setting.mechanism} {setting.named_epsilon:g}"
    return f"trial {trial} {name}"


def inversion_key(setting: Setting) -> str:
    """The name of the attacks on single words."""
    return f"inversion {setting.mechanism} {setting.named_epsilon:g}"


def pairs_key(setting: Setting | None) -> str:
    """The name of the task of pairs. It is of clean queries if there is no setting."""
    return "pairs clean" if setting is None else f"pairs {setting.mechanism} {setting.named_epsilon:g}"


def attained_key(setting: Setting) -> str:
    """The name of the bounds of what the ε of a word attains."""
    return f"attained {setting.mechanism} {setting.named_epsilon:g}"


def reading_key(setting: Setting) -> str:
    """The name of the attacks on running text."""
    return f"reading {setting.mechanism} {setting.named_epsilon:g}"


class Results:
    """The document in a folder, written anew after each finished piece of work.

    Raises InvalidArgumentError if the folder holds results that another protocol led to, InputFileError if what it
    holds is not a document of results.
    """

    def __init__(self, folder: Path, protocol: dict[str, Any], context: dict[str, Any]) -> None:
        self._path = folder / NAME
        self._done: dict[str, Any] = {}
        if self._path.exists():
            self._done = self._load(protocol)["done"]
        self._head = {"format": FORMAT, "protocol": protocol, **context}

    def __contains__(self, key: str) -> bool:
        return key in self._done

    def add(self, key: str, result: dict[str, Any]) -> None:
        """Keeps the result of a piece of work. It is on the disk when this returns."""
        self._done[key] = result
        self.write()

    def write(self) -> None:
        """Writes the document."""
        write_atomically(self._path, json_text(self.document(), DEPTH).encode())

    def document(self) -> dict[str, Any]:
        """The results as they are written, a JSON document with pieces of work by name."""
        return {**self._head, "done": dict(sorted(self._done.items()))}

    def _load(self, protocol: dict[str, Any]) -> dict[str, Any]:
        try:
            document = json.loads(self._path.read_bytes())
            found = document["protocol"] if document["format"] == FORMAT else None
            done = document["done"]
        except (ValueError, KeyError, TypeError, RecursionError):
            found, done = None, None
        if not isinstance(found, dict) or not isinstance(done, dict):
            raise InputFileError(f"{self._path}: is not a document of results: remove it, or name another folder")
        differ = sorted(key for key in {*protocol, *found} if protocol.get(key) != found.get(key))
        if differ:
            raise InvalidArgumentError(
                f"{self._path}: comes from a run with other {', '.join(differ)}: name another folder, or remove it"
            )
        return {"done": done}
