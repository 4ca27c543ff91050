"""A program that PyInstaller makes finds the built-in bundle and the commands; a zip file says what to do instead."""

import shutil
import subprocess
import sys
import zipapp
from pathlib import Path

import pytest

import hushbit

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


def test_a_zip_file_says_what_to_do(tmp_path: Path) -> None:
    """The installed package as `pip install --target` would put it beside a program, packed by Python's own zipapp."""
    folder = tmp_path / "program"
    shutil.copytree(
        Path(hushbit.__file__).parent, folder / "hushbit", ignore=shutil.ignore_patterns("data", "__pycache__")
    )
    (folder / "__main__.py").write_text(PROGRAM)
    zipapp.create_archive(folder, tmp_path / "program.pyz")
    line: list[str | Path] = [sys.executable, "-S", tmp_path / "program.pyz", "privatize"]
    done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 1
    assert "hushbit cannot run from a zip file" in done.stderr
    assert "such as shiv or pex" in done.stderr
