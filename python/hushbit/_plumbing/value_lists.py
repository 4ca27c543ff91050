"""Lists of values, one a line of a file: devices that report and those who count must read them alike."""

from __future__ import annotations

from hushbit.errors import InputFileError


def lines_of_list(content: bytes, name: str) -> list[str]:
    """The lines of a file in UTF-8, called `name`; its mark and the ends of lines of Windows are left out.

    Raises InputFileError.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputFileError(f"{name}: is not UTF-8") from None
    return text.replace("\r\n", "\n").removesuffix("\n").removesuffix("\r").split("\n")


def values_of_list(content: bytes, name: str) -> list[str]:
    """Those lines as values: each a name, and no two alike. Raises InputFileError."""
    lines = lines_of_list(content, name)
    first: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        if not line:
            raise InputFileError(f"{name}, line {number}: is empty; a value needs a name")
        if line in first:
            raise InputFileError(f"{name}, line {number}: is the value of line {first[line]} again")
        first[line] = number
    return lines
