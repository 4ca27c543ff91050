#!/usr/bin/env python3
"""Exports all of GloVe 6B once more and fails if that takes more than it may: check_export.py HUSHBIT [OPTION]...

HUSHBIT is the command to run; options are passed on to `hushbit export`. It may take 1.5 GB of memory, and the
processor time that two processors have in a minute: how long it takes depends on what else the machine does, and is
only said.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MAX_BYTES = 1_500_000_000
MAX_PROCESSOR_SECONDS = 2 * 60


def main() -> None:
    """Runs the export and prints what it took."""
    with tempfile.TemporaryDirectory() as directory:
        bundle = Path(directory) / "words.hushbit"
        line = [*sys.argv[1:2], "export", "--embeddings", "glove-6b-50d", "--bits", "256", "-o", str(bundle)]
        began = time.monotonic()
        subprocess.run([*line, *sys.argv[2:]], stdout=subprocess.DEVNULL, check=True)
        seconds = time.monotonic() - began
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    memory, processor = used.ru_maxrss * 1024, used.ru_utime + used.ru_stime
    print(f"400,000 words in {seconds:.0f} s, {processor:.0f} s of processor time, {memory / 1e6:,.0f} MB of memory")
    if memory > MAX_BYTES or processor > MAX_PROCESSOR_SECONDS:
        sys.exit(f"more than {MAX_PROCESSOR_SECONDS} s of processor time or {MAX_BYTES / 1e6:,.0f} MB of memory")


if __name__ == "__main__":
    main()
