"""What PyInstaller puts into a program that imports hushbit: the built-in bundle, and what is imported by name."""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

ROOMS = ("toolchain", "corpus", "analysis", "study", "hashing")

datas = collect_data_files("hushbit", includes=["data/*"])
# Commands are imported by their names, and the native modules import some of Python's by theirs.
commands = ("hushbit._commands", *(f"hushbit.{room}.commands" for room in ROOMS))
hiddenimports = [*(module for package in commands for module in collect_submodules(package)), "hushbit._core_testing"]
