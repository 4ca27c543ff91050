"""What PyInstaller puts into a program that imports hushbit: the built-in bundle, and what is imported by name."""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

datas = collect_data_files("hushbit", includes=["data/*"])
# Commands are imported by their names, and the native modules import some of Python's by theirs.
hiddenimports = [*collect_submodules("hushbit.cli"), "hushbit._core_testing"]
