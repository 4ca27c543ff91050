#!/usr/bin/env python3
"""Writes SHA256SUMS and a software bill of materials (CycloneDX 1.5) beside the files of a release.

    bill_of_materials.py DIRECTORY

The core has no dependencies and vendors none. What the Python package requires at run time is listed as required, with
the range that pyproject.toml states, since a wheel does not contain it.
"""

import hashlib
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BILL, SUMS = "hushbit.cdx.json", "SHA256SUMS"


def bill(files: dict[str, str], version: str) -> dict[str, Any]:
    """The document, for the files by name with their SHA-256 in hex."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name = {"type": "library", "bom-ref": "hushbit", "name": "hushbit", "version": version}
    required = [dependency(requirement) for requirement in project["dependencies"]]
    built = [
        {"type": "file", "bom-ref": f"file:{file}", "name": file, "hashes": [{"alg": "SHA-256", "content": digest}]}
        for file, digest in sorted(files.items())
    ]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {**name, "licenses": [{"license": {"id": project["license"]}}]}},
        "components": built + required,
        "dependencies": [{"ref": "hushbit", "dependsOn": [component["bom-ref"] for component in required]}],
    }


def dependency(requirement: str) -> dict[str, Any]:
    """A package that is needed at run time and not contained."""
    name = re.split(r"[^\w.-]", requirement)[0]
    properties = [{"name": "hushbit:requirement", "value": requirement}]
    purl = f"pkg:pypi/{name}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "purl": purl,
        "scope": "required",
        "properties": properties,
    }


def main() -> None:
    """Writes both files."""
    directory = Path(sys.argv[1])
    command = [str(ROOT / "tools/release/version")]
    version = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    names = sorted(path.name for path in directory.iterdir() if path.is_file() and path.name not in (BILL, SUMS))
    if not names:
        sys.exit(f"{directory} has no files of a release")
    sums = {name: hashlib.sha256((directory / name).read_bytes()).hexdigest() for name in names}
    (directory / BILL).write_text(json.dumps(bill(sums, version), indent=2) + "\n", encoding="utf-8")
    sums[BILL] = hashlib.sha256((directory / BILL).read_bytes()).hexdigest()
    lines = [f"{digest}  {name}\n" for name, digest in sorted(sums.items())]
    (directory / SUMS).write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
