"""A program that PyInstaller makes finds the built-in bundle and the commands."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = "import sys\nfrom hushbit.cli import main\nsys.exit(main())\n"


@pytest.mark.slow
def test_a_program_by_pyinstaller_has_the_bundle(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    heavy = ("torch", "pandas", "sklearn", "scipy", "matplotlib", "pyarrow", "dask", "distributed", "faiss", "onnx")
    excluded = [f"--exclude-module={name}" for name in heavy]
    line = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level=WARN", *excluded, "program.py"]
    subprocess.run(line, cwd=tmp_path, check=True, timeout=600)
    program = tmp_path / "dist/program/program"
    done = subprocess.run([program, "privatize"], input=b"The weather is lovely\n", capture_output=True, check=True)
    assert len(done.stdout.split()) == 4
    subprocess.run([program, "verify"], check=True, capture_output=True)
    assert b"usage" in subprocess.run([program, "corpus", "--help"], check=True, capture_output=True).stdout
