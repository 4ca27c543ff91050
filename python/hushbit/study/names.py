"""The mechanisms that are compared, and what tables and plots call them. Light, so that commands can offer them."""

from hushbit import _options

ON_CODES = _options.ON_CODES
"""Ours, on binary codes."""
ON_VECTORS = ("madlib", "tem-euclidean")
"""The papers' baselines, which draw noise on the real vectors."""
MECHANISMS = (*ON_CODES, *ON_VECTORS)
TITLES = {"brr": "BRR", "tem": "TEM, Hamming", "madlib": "Madlib", "tem-euclidean": "TEM, Euclidean"}
LONG_TITLES = TITLES | {"tem": "TEM over Hamming distance"}
