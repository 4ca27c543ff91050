"""The mechanisms for comparisons, and their names in tables and plots.

Without heavy imports, so that commands can use it.
"""

from hushbit import _options

ON_CODES = _options.ON_CODES
"""Our mechanisms on binary codes."""
ON_VECTORS = ("madlib", "tem-euclidean")
"""The papers' baselines, which draw noise on the real vectors."""
MECHANISMS = (*ON_CODES, *ON_VECTORS)
"""The default mechanisms of a comparison."""
CROWDS: dict[str, _options.CrowdSize] = {"crowd-many": "many", "crowd-few": "few", "randomized-response": "one"}
"""Crowds by their sizes; a crowd of one word is randomized response over the output words."""
NAME_OF_SIZE = {size: name for name, size in CROWDS.items()}
ALL = (*MECHANISMS, *CROWDS)
BY_LARGEST = {"brr-pmax": "brr", "tem-pmax": "tem"}
"""Mechanisms on codes once more, in evaluations: matched to Madlib by P_max in place of P_avg."""
EVALUATED = (*ALL, *BY_LARGEST)
TITLES = {
    "brr": "BRR",
    "tem": "TEM, Hamming",
    "madlib": "Madlib",
    "tem-euclidean": "TEM, Euclidean",
    "crowd-many": "Crowds, many",
    "crowd-few": "Crowds, few",
    "randomized-response": "Randomized response",
    "brr-pmax": "BRR, by P_max",
    "tem-pmax": "TEM, by P_max",
}
LONG_TITLES = TITLES | {"tem": "TEM over Hamming distance"}
