"""`hushbit key` makes a device key for memoized noise."""

from __future__ import annotations

import argparse
import os
from contextlib import suppress

from hushbit._options import DEVICE_KEY_BYTES
from hushbit.cli._shared import streams
from hushbit.cli._shared.failure import EXIT_OK, CommandError
from hushbit.cli._shared.files import writes

_DESCRIPTION = """\
Makes a key of 32 random bytes for `hushbit privatize --memoize`. Only the file's owner may read it, and an existing
file is not overwritten. Anyone who has the key can undo the noise that was drawn from it: keep it on this device.
"""
_EPILOG = """\
examples:
  hushbit key device.key
  hushbit privatize words.hushbit --memoize device.key < letters.txt
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "key", help="make a key for memoized noise", description=_DESCRIPTION, epilog=_EPILOG
    )
    writes(parser.add_argument("file", metavar="KEYFILE", help="file to make"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    try:
        descriptor = os.open(arguments.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise CommandError(f"{arguments.file} is there already, and was left as it is") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(os.urandom(DEVICE_KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        with suppress(OSError):
            os.unlink(arguments.file)  # noqa: PTH108 - a plain path
        raise CommandError(f"cannot write {arguments.file}: {error.strerror}") from None
    streams.say(f"{arguments.file} has a new key; keep it on this device")
    return EXIT_OK
