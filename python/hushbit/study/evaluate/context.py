"""What a reader of the results must know besides the figures."""

import os
import platform
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hushbit._plumbing.parallel import processors
from hushbit.study.evaluate.inputs import Inputs


def context_of(inputs: Inputs) -> dict[str, Any]:
    """Distances of words, coverage of the text, settings, machine."""
    return {
        "trials": inputs.options.trials,
        "settings": [asdict(setting) for setting in inputs.settings],
        "distances": inputs.distances.document(),
        "coverage": {**asdict(inputs.coverage), "unknown_share": inputs.coverage.unknown_share},
        "machine": machine(),
    }


def machine() -> dict[str, Any]:
    """The processor's model, how many of them this process may use, the memory, the system."""
    return {
        "processor": _processor(),
        "processors": processors(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
    }


def _processor() -> str:
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        for line in listing.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
