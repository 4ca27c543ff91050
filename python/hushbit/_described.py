"""Objects made of a bundle are sent to another process as a description: path and hash of the bundle, and options."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

if TYPE_CHECKING:
    from hushbit._budget import Budget
    from hushbit._bundle import Bundle


class _Memoized(Protocol):
    """The promises of what was made."""

    @property
    def memoized(self) -> bool:
        """Whether a device key was given."""


class Described:
    """An immutable object that is copied as itself and pickled as its description.

    A process that unpickles equal descriptions makes one object for all. An object with a device key, a budget or an
    audit log cannot be pickled, since these must stay on their machine. Neither can one whose bundle was not opened by
    a path.
    """

    __slots__ = ()
    _OPTIONS: ClassVar[Callable[..., Any]]
    _bundle: Bundle | None
    _budget: Budget | None
    _chosen: dict[str, Any]
    _info: _Memoized

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[object, ...]]:
        """The class and the description."""
        reason = self._why_it_stays()
        if reason is not None:
            name = type(self).__name__
            raise TypeError(f"{'an' if name[0] in 'AEIOU' else 'a'} {name} cannot be pickled {reason}")
        bundle = None if self._bundle is None else (self._bundle._open_again, self._bundle.path, self._bundle.info.hash)
        return _make_again, (type(self), bundle, tuple(sorted(self._chosen.items())))

    def __copy__(self) -> Self:
        """Itself, since it is immutable."""
        return self

    def __deepcopy__(self, memo: object) -> Self:
        """Itself, since it is immutable."""
        return self

    def __dask_tokenize__(self) -> object:
        """The key by which Dask identifies it."""
        return self.__reduce__()[1]

    def _why_it_stays(self) -> str | None:
        """Why another process cannot use the description, and what to do; None if it can."""
        if self._info.memoized:
            return "with a device key, which must not leave its device: create one without a key"
        if self._budget is not None:
            return (
                "with a budget: a ledger belongs to one machine. Spend the cost there, and create one without a budget "
                "for the others; hushbit corpus --budget does so, part by part"
            )
        if self._chosen.get("audit_log") is not None:
            return "with an audit log, a file of one machine: create one without it"
        if self._bundle is not None and self._bundle.path is None:
            return "unless its bundle was opened by a path: open the file with hushbit.open"
        return None


@lru_cache(maxsize=16)
def _make_again(
    kind: Any, bundle: tuple[Callable[[str, str], Bundle], str, str] | None, chosen: tuple[tuple[str, Any], ...]
) -> Any:
    """Called by pickle in another process; once for many tasks with the same description."""
    opened = None
    if bundle is not None:
        open_again, path, bundle_hash = bundle
        opened = open_again(path, bundle_hash)
    return kind(opened, kind._OPTIONS(**dict(chosen)))
