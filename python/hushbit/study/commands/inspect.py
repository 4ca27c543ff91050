"""`hushbit inspect`: what is in a bundle."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hushbit import _core
from hushbit.cli._shared import bundle_parts, odd_words, streams
from hushbit.cli._shared.arguments import add_bundle, open_bundle
from hushbit.cli._shared.failure import EXIT_OK

if TYPE_CHECKING:
    from hushbit import Bundle

_EPILOG = """\
examples:
  hushbit inspect words.hushbit
  hushbit inspect words.hushbit --json
  hushbit inspect --cpu
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = subparsers.add_parser(
        "inspect",
        help="show what is in a bundle",
        description="Shows a bundle's header, sections, description, and the cost at its default epsilon.",
        epilog=_EPILOG,
    )
    add_bundle(parser)
    parser.add_argument(
        "--cpu",
        action="store_true",
        help="show what this processor can search with; the first one is the fastest and is used",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    without_bundle = arguments.bundle is None and arguments.cpu
    document = {} if without_bundle else describe(open_bundle(arguments.bundle))
    lines = [] if without_bundle else _human(document)
    if arguments.cpu:
        document["kernels"] = list(_core.KERNELS)
        lines.insert(0, f"{'kernels':<11}{', '.join(_core.KERNELS)}")
    streams.write_result(document, lines, as_json=arguments.json)
    return EXIT_OK


def describe(bundle: Bundle) -> dict[str, Any]:
    """Everything there is to say about a bundle, as a JSON document. Sizes are in bytes, distances in bits."""
    info = bundle.info.to_dict()
    sections, savings = bundle_parts.describe(
        info.pop("sections"), bundle.words, bundle.info.output_words, bundle.bits, bundle.info.mih_flips
    )
    return {
        "info": info,
        "sections": sections,
        "savings": savings,
        "odd_words": odd_words.count(bundle),
        "default_privacy": bundle.privatizer(allow_unchanged=True).info.to_dict(),
        "default_guesses": _guesses(bundle),
        "default_embedding": _embedding(bundle),
        "meta": bundle.meta,
    }


def _embedding(bundle: Bundle) -> dict[str, Any] | None:
    """What whole texts are embedded with by default; None if the bundle has no embedding."""
    if all(section.name != "embedding" for section in bundle.info.sections):
        return None
    return bundle.embedder().info.to_dict()


def _guesses(bundle: Bundle) -> dict[str, Any] | None:
    """What an attacker guesses who knows how frequent words are, by default; None unless crowds are the default."""
    if bundle.info.default_mechanism != "crowd":
        return None
    from dataclasses import asdict

    from hushbit.study.mechanisms.crowd import CrowdMechanism
    from hushbit.study.privacy.guessing import guessed, public_frequencies

    info = bundle.info
    channel = CrowdMechanism(bundle._native, info.default_epsilon, info.default_crowd_size).channel
    return asdict(guessed(channel, public_frequencies(bundle._native)))


def _human(document: dict[str, Any]) -> list[str]:
    info, privacy = document["info"], document["default_privacy"]
    rows = [
        ("hash", info["hash"]),
        ("format", info["format_version"]),
        ("size", f"{info['file_bytes']:,} bytes"),
        ("words", f"{info['words']:,}, the longest of {info['max_word_bytes']} bytes"),
        *_output_rows(info),
        ("codes", f"{info['bits']} bits"),
        ("distance", f"P_avg {info['average_distance']:.4f}, P_max {info['max_distance']} bits"),
        ("Unicode", info["unicode_version"]),
        ("mechanism", info["default_mechanism"]),
        *(_crowd_rows(privacy) if privacy["epsilon_unit"] == "word" else _code_rows(privacy)),
        *(("beware", line) for line in odd_words.human(document["odd_words"])),
        *_guess_rows(document["default_guesses"]),
        *_embedding_rows(document["default_embedding"]),
    ]
    lines = [f"{name:<11}{value}" for name, value in rows]
    lines += ["", *bundle_parts.human(document["sections"], document["savings"], info["words"])]
    lines += ["", "SHA-256", *(f"  {section['name']:<10}{section['sha256']}" for section in document["sections"])]
    return [*lines, "", "meta", *_outline(document["meta"], "  ")]


def _output_rows(info: dict[str, Any]) -> list[tuple[str, str]]:
    rows = []
    if info["output_words"] < info["words"]:
        rows.append(("", f"{info['output_words']:,} of them may come out, the others have one of these in their place"))
    if info["public_words"]:
        rows.append(("", f"{info['public_words']:,} of them are public: they are released without noise, and what is"))
        rows.append(("", "promised is for texts with the same public words in the same places"))
    return rows


def _code_rows(privacy: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [
        ("epsilon", f"{privacy['effective_epsilon']:.6g} per differing bit by default, which adds up to"),
        ("", f"{privacy['average_per_token']:.6g} per token on average, for two words P_avg apart"),
        ("", f"{privacy['worst_case_per_token']:.6g} per token at worst (epsilon * P_max, or the OOV policy's cost)"),
    ]
    if privacy["mechanism"] == "brr":
        return [*rows, ("flips", f"a bit flips with probability {privacy['flip_probability']:.6g}")]
    return [*rows, ("gamma", f"words farther than {privacy['gamma']} bits are drawn alike, seldom")]


def _crowd_rows(privacy: dict[str, Any]) -> list[tuple[str, str]]:
    share = privacy["crowd_mass"] / privacy["output_mass"]
    return [
        ("epsilon", f"{privacy['effective_epsilon']:.6g} per word by default, between any two words"),
        (
            "crowds",
            f"{privacy['crowd_size']}: {privacy['mean_crowd']:.4g} words on average, {share:.3g} of the weight of all",
        ),
        ("lambda", f"a word becomes one of its crowd with probability {privacy['crowd_probability']:.6g}, else any"),
    ]


def _guess_rows(guesses: dict[str, Any] | None) -> list[tuple[str, str]]:
    if guesses is None:
        return []
    rows = [("attack", f"who knows how frequent words are guesses {guesses['everything']:.1%} of them right at once;")]
    if guesses["beyond"] is not None:
        rows.append(("", f"beyond the {guesses['frequent']} most frequent {guesses['beyond']:.1%}, "
                         f"{guesses['beyond_told']:.1%} if told that a word is beyond them;"))  # fmt: skip
    return [*rows, ("", "context adds to it: it can double what is guessed")]


def _embedding_rows(embedding: dict[str, Any] | None) -> list[tuple[str, str]]:
    if embedding is None:
        return [("embedding", "none: export the bundle again to embed whole texts")]
    size, count = embedding["crowd_directions"], embedding["directions"]
    return [
        ("embedding", f"{embedding['effective_epsilon']:.6g} per whole text by default, between any two texts"),
        ("", f"one of {count:,} directions of {embedding['dimensions']} dimensions; with probability"),
        ("", f"{embedding['crowd_probability']:.6g} one of the {size:,} nearest to the text, else any"),
    ]


def _outline(value: dict[str, Any], indent: str) -> list[str]:
    lines = []
    for key, item in value.items():
        if isinstance(item, dict) and item and len(indent) < 8:
            lines += [f"{indent}{key}", *_outline(item, indent + "  ")]
        else:
            import json

            lines.append(f"{indent}{key}: {item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)}")
    return lines
