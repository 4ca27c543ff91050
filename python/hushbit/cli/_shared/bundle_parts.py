"""What each section of a bundle is for, when it is used, and what leaving it out would save."""

from __future__ import annotations

import math
from typing import Any

_PURPOSES = {
    "meta": "what the bundle was made of",
    "words": "the vocabulary",
    "codes": "the codes of the words",
    "clusters": "scan of clusters, instead of all codes",
    "order": "which word is where in the clusters",
    "mih": "multi-index hash, for little noise",
    "outputs": "which words may come out",
    "standins": "for each word one that may come out",
    "weights": "how likely each is as noise",
    "crowds": "near words",
    "grades": "how crowds thin out",
    "public": "words released without noise",
    "embedding": "vectors of whole texts",
}

_ALWAYS = "always"
_OPTIONAL = ("clusters", "order", "mih")


def describe(
    sections: list[dict[str, Any]], words: int, output_words: int, bits: int, mih_flips: float
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The sections, each a dict with a name and a length, and what there is to say about each; and what smaller
    bundles would leave out. `mih_flips` is the plan: the flipped bits up to which the hash is tried first.
    """
    lengths = {section["name"]: section["length"] for section in sections}
    parts = [
        {
            **section,
            "bytes_per_word": round(section["length"] / words, 3),
            "purpose": _PURPOSES.get(section["name"], "unknown"),
            "saves": section["length"] if section["name"] in _OPTIONAL else 0,
            "used": _used(section["name"], lengths, bits, mih_flips),
        }
        for section in sections
    ]
    return parts, _savings(lengths, output_words, bits)


def epsilon_of(flips: float, bits: int) -> float:
    """The ε of BRR at which so many bits of a code flip on average: more noise is below. Infinite for no flips."""
    share = flips / bits
    return max(0.0, math.log(1 / share - 1)) if share > 0 else math.inf


def human(parts: list[dict[str, Any]], savings: list[dict[str, Any]], words: int) -> list[str]:
    """The same as lines for people."""
    lines = [f"{'section':<10}{'bytes':>14}{'bytes/word':>12}  what it is for"]
    for part in parts:
        size = f"{part['name']:<10}{part['length']:>14,}{part['length'] / words:>12.2f}"
        used = "" if part["used"] == _ALWAYS else f": {part['used']}"
        lines.append(f"{size}  {part['purpose']}{used}")
    for saving in savings:
        each = saving["bytes"] / words
        what = f"Without {saving['parts']} (--index {saving['index']}) it would be {saving['bytes']:,} bytes less"
        lines.append(f"{what}, {each:.2f} a word; {saving['then']}.")
    return lines


def _used(name: str, lengths: dict[str, int], bits: int, mih_flips: float) -> str:
    if name == "mih":
        if mih_flips == 0:
            return "never by itself, since other searches are faster at any noise here"
        epsilon = epsilon_of(mih_flips, bits)
        return f"brr at epsilon {epsilon:.3g} or more, {mih_flips:.4g} or fewer of {bits} bits flipped"
    if name == "order":
        return "with the clusters"
    if name == "clusters" and "mih" in lengths and mih_flips > 0:
        epsilon = epsilon_of(mih_flips, bits)
        return f"brr below epsilon {epsilon:.3g}, more than {mih_flips:.4g} of {bits} bits flipped; tem; neighbors"
    return "every search" if name == "clusters" else _ALWAYS


def _savings(lengths: dict[str, int], output_words: int, bits: int) -> list[dict[str, Any]]:
    savings: list[dict[str, Any]] = []
    tiled = "clusters" in lengths
    if "mih" in lengths:
        index = "clusters" if tiled else "none"
        then = f"little noise would be searched like much, {'by clusters' if tiled else 'by comparing every code'}"
        savings.append({"parts": "the hash", "index": index, "bytes": lengths["mih"], "then": then})
    if tiled:
        # Codes in tiles take a little more, since the last tile is filled up.
        saved = (
            lengths["clusters"] + lengths["order"] + lengths["codes"] - output_words * bits // 8 + lengths.get("mih", 0)
        )
        parts = "clusters, order and hash" if "mih" in lengths else "clusters and order"
        savings.append(
            {"parts": parts, "index": "none", "bytes": saved, "then": "every search would compare every code"}
        )
    return savings
