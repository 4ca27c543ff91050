"""Makes text private on the device, before it leaves the device.

    import hushbit

    bundle = hushbit.open()  # the built-in English one; or hushbit.open("words.hushbit")
    privatizer = bundle.privatizer()
    released = privatizer.privatize("The weather is lovely today.")
    print(released.text, released.cost)

Every word is replaced by a word drawn at random, favoring words of similar meaning. By crowds that is local
differential privacy of each word; by the other mechanisms, metric differential privacy over the Hamming distance of the
words' codes.

To learn what texts are about, release one embedding of each instead, at one epsilon for the whole text:

    bundle.embedder(epsilon=2.0).embed("The weather is lovely today.").index

To count words, emoji, answers or new words, release one report of each, at one epsilon for the whole text:

    bundle.reporter("emoji", epsilon=2.0).report("See you! \N{WAVING HAND SIGN}").to_json()

`hushbit.errors` contains the errors, `hushbit.testing` seeded randomness.
"""

try:
    from hushbit import _core, errors
except ImportError as error:
    from pathlib import Path
    from zipimport import zipimporter

    if isinstance(globals().get("__loader__"), zipimporter):
        raise ImportError(
            "hushbit cannot run from a zip file, such as one of zipapp: its core is a native library, which is loaded "
            "from files alone. Make the program with a tool that unpacks it as it starts, such as shiv or pex, or with "
            "PyInstaller, or install hushbit beside the zip file"
        ) from error
    if not (Path(__file__).resolve().parents[2] / "CMakeLists.txt").exists():
        raise
    raise ImportError(
        "this is hushbit in its source tree, where its core is not built: install it with `pip install .`, and run "
        "Python in another folder"
    ) from error
from hushbit._budget import Budget, BudgetState
from hushbit._bundle import Bundle, BundleInfo, Neighbor, Section, open  # noqa: A004 - hushbit.open is the name
from hushbit._classifier import Classified, Classifier
from hushbit._embedder import Embedder, EmbedderInfo, Embedding, NearWord
from hushbit._options import EmbedderOptions, PrivatizerOptions, ReporterOptions
from hushbit._own_vectors import VectorEmbedder, open_projection
from hushbit._privatizer import CrowdMember, Privatizer, PrivatizerInfo
from hushbit._reporter import Report, Reporter, ReporterInfo
from hushbit._text import Cost, PrivatizedText, PrivatizedToken, Token
from hushbit.errors import HushbitError

__version__: str = _core.VERSION

__all__ = [
    "Budget",
    "BudgetState",
    "Bundle",
    "BundleInfo",
    "Classified",
    "Classifier",
    "Cost",
    "CrowdMember",
    "Embedder",
    "EmbedderInfo",
    "EmbedderOptions",
    "Embedding",
    "HushbitError",
    "NearWord",
    "Neighbor",
    "PrivatizedText",
    "PrivatizedToken",
    "Privatizer",
    "PrivatizerInfo",
    "PrivatizerOptions",
    "Report",
    "Reporter",
    "ReporterInfo",
    "ReporterOptions",
    "Section",
    "Token",
    "VectorEmbedder",
    "__version__",
    "errors",
    "open",
    "open_projection",
]
