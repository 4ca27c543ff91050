"""The errors of the package, one class for each status of the core.

Messages say what was wrong, where, and what to do. They never contain text that was passed in to be privatized.
"""

from __future__ import annotations


class HushbitError(Exception):
    """The base of every error of this package. `position` is the byte to which it refers, or 0."""

    def __init__(self, message: str, position: int = 0) -> None:
        super().__init__(message)
        self.position = position

    def __reduce__(self) -> tuple[type[HushbitError], tuple[str, int], dict[str, object]]:
        """Says how to pickle it, since Dask's own way cannot create errors that are also a MemoryError."""
        return type(self), (str(self), self.position), self.__dict__


class InvalidArgumentError(HushbitError, ValueError):
    """An argument is out of range or not possible with the bundle."""


class NotFoundError(HushbitError, FileNotFoundError):
    """There is no file at the path of a bundle or of a budget that is only read, or no folder to shuffle."""


class ReadFailedError(HushbitError, OSError):
    """The operating system could not read or map the file."""


class CorruptBundleError(HushbitError):
    """The bytes are not a well-formed bundle."""


class UnsupportedBundleError(HushbitError):
    """The bundle is of a newer version, or contains a required section that this version does not know."""


class OutOfMemoryError(HushbitError, MemoryError):
    """The core could not allocate memory."""


class RandomnessFailedError(HushbitError):
    """The operating system provided no randomness. Nothing was released."""


class InvalidTextError(HushbitError, ValueError):
    """The text is not UTF-8. `position` is the first bad byte."""


class UnknownWordError(HushbitError):
    """A token is not in the vocabulary and the policy is "error". Nothing was released."""


class BudgetExhaustedError(HushbitError):
    """The release would exceed a cap of the budget. Nothing was spent or released."""


class CorruptBudgetError(HushbitError):
    """The file of the budget is damaged or missing. Nothing was released; `Budget.reset` starts at zero."""


class UnsupportedBudgetError(HushbitError):
    """The file of the budget is of a newer version. Nothing was released."""


class StorageFailedError(HushbitError, OSError):
    """A budget or an audit log could not be read, locked or written. Nothing was released."""


class InputFileError(HushbitError):
    """A file that the toolchain reads (embeddings, word list) is malformed; the message names file and line."""


class InputNotFoundError(InputFileError, FileNotFoundError):
    """There is no file or named source of that name."""


class MissingPackageError(HushbitError, ModuleNotFoundError):
    """A function needs a package that is not installed; the message says which, and which extra brings it."""

    def __init__(self, message: str, name: str = "") -> None:
        super().__init__(message)
        self.name = name

    def __reduce__(self) -> tuple[type[HushbitError], tuple[str, str], dict[str, object]]:  # type: ignore[override]
        """Says how to pickle it, with the name of the package."""
        return type(self), (str(self), self.name or ""), self.__dict__


_BY_STATUS: dict[int, type[HushbitError]] = {
    1: InvalidArgumentError,
    2: NotFoundError,
    3: ReadFailedError,
    4: CorruptBundleError,
    5: UnsupportedBundleError,
    6: OutOfMemoryError,
    7: RandomnessFailedError,
    8: InvalidTextError,
    9: UnknownWordError,
    10: BudgetExhaustedError,
    11: CorruptBudgetError,
    12: UnsupportedBudgetError,
    13: StorageFailedError,
}


def from_status(status: int, message: str, position: int) -> HushbitError:
    """The error for a `hushbit_status` other than 0; the native module raises it."""
    return _BY_STATUS.get(status, HushbitError)(message, position)
