"""Tells PyInstaller what a program with Hushbit in it needs beside its modules. Nothing else imports this."""

from pathlib import Path


def hook_dirs() -> list[str]:
    """The folder of the hooks; PyInstaller finds this function by the package's entry point."""
    return [str(Path(__file__).parent)]
