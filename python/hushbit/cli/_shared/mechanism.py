"""How texts are privatized: the options of commands that do it, their privatizer, and what it says of itself."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hushbit._options import (
    CROWD_SIZES,
    DEFAULTS,
    MAX_MASK_BYTES,
    MECHANISMS,
    OOV_POLICIES,
    PUNCTUATION_POLICIES,
    SEARCHES,
)
from hushbit.cli._shared import streams
from hushbit.cli._shared.arguments import epsilon, mask, share
from hushbit.cli._shared.failure import EXIT_USAGE, CommandError

if TYPE_CHECKING:
    from hushbit import Bundle, Privatizer
    from hushbit._text import Cost

_SENSIBLE_PER_WORD = 16
_OOV_HELP = """how to treat a token outside the vocabulary: put a random word in its place, leave it out, replace it by
the mask, refuse the line, or pass it through as typed, WITHOUT privacy (default: random)"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds them to a parser."""
    parser.add_argument(
        "--epsilon",
        type=epsilon,
        metavar="E",
        help="privacy parameter, 0 or more: per word with crowds, else per differing bit (default: that of the bundle)",
    )
    parser.add_argument(
        "--mechanism",
        choices=MECHANISMS,
        help="how words are replaced; another mechanism than the default may need --epsilon (default: that of the "
        "bundle)",
    )
    parser.add_argument(
        "--crowd-size",
        choices=CROWD_SIZES,
        help="how many near words a word may become, with crowds: only itself, few for counting, many for meaning "
        "(default: that of the bundle)",
    )
    parser.add_argument(
        "--beta",
        type=share,
        metavar="B",
        help=f"probability of a word beyond the reach of TEM (default: {DEFAULTS.beta})",
    )
    parser.add_argument(
        "--allow-unchanged",
        action="store_true",
        help="allow an epsilon that leaves more than about half of the words as they were typed",
    )
    parser.add_argument("--oov", choices=OOV_POLICIES, default=DEFAULTS.oov, help=_OOV_HELP)
    parser.add_argument(
        "--mask",
        type=mask,
        metavar="TEXT",
        help=f"text in place of an unknown word with --oov mask, 1 to {MAX_MASK_BYTES} bytes (default: "
        f"{DEFAULTS.mask})",
    )
    parser.add_argument(
        "--punctuation",
        choices=PUNCTUATION_POLICIES,
        default=DEFAULTS.punctuation,
        help="leave punctuation out, or treat it like words (default: drop)",
    )
    parser.add_argument(
        "--search",
        choices=SEARCHES,
        default=DEFAULTS.search,
        help="how the nearest words are searched; the output does not depend on it (default: the fastest way)",
    )


def privatizer(arguments: argparse.Namespace, bundle: Bundle, **others: Any) -> Privatizer:
    """The one that the options ask for; `others` are fields of `hushbit.PrivatizerOptions` too. Raises CommandError."""
    if arguments.mask is not None and arguments.oov != "mask":
        raise CommandError("--mask is only used with --oov mask", EXIT_USAGE)
    mechanism = arguments.mechanism or bundle.info.default_mechanism
    if arguments.beta is not None and mechanism != "tem":
        raise CommandError("--beta is only used with --mechanism tem", EXIT_USAGE)
    if arguments.crowd_size is not None and mechanism != "crowd":
        raise CommandError("--crowd-size is only used with --mechanism crowd", EXIT_USAGE)
    return bundle.privatizer(
        arguments.mechanism,
        arguments.epsilon,
        beta=DEFAULTS.beta if arguments.beta is None else arguments.beta,
        oov=arguments.oov,
        punctuation=arguments.punctuation,
        mask=arguments.mask or DEFAULTS.mask,
        search=arguments.search,
        crowd_size=arguments.crowd_size,
        allow_unchanged=arguments.allow_unchanged,
        **others,
    )


def say_terms(privatizer: Privatizer, arguments: argparse.Namespace) -> None:
    """Says what epsilon means, and what is not protected."""
    info = privatizer.info
    if info.epsilon_unit == "word":
        terms = f"{info.effective_epsilon:.6g} per word at worst, between any two words"
    else:
        terms = (
            f"{info.effective_epsilon:.6g} per differing bit, "
            f"{info.average_per_token:.6g} per token on average, {info.worst_case_per_token:.6g} at worst"
        )
    streams.say(f"epsilon is the bundle's default: {terms}" if arguments.epsilon is None else f"epsilon: {terms}")
    if info.clamped:
        streams.say(f"epsilon {info.requested_epsilon:g} is more than the integers can express; what holds is {terms}")
    if info.epsilon_unit == "word" and info.requested_epsilon > _SENSIBLE_PER_WORD:
        streams.say(
            f"WARNING: epsilon {info.requested_epsilon:g} per word hides almost nothing; of crowds it is 4 to 8. Is it "
            "meant for another mechanism, whose epsilon is per differing bit?"
        )
    if info.public_words:
        streams.say(f"{info.public_words} public words of the bundle are released without noise")
    if info.memoized:
        streams.say("noise is memoized: a word that is repeated is replaced by the same word again")
    if arguments.oov == "verbatim-unsafe":
        streams.say(
            "WARNING: --oov verbatim-unsafe passes every unknown token through AS TYPED. Names, numbers, passwords and "
            "misspelled words will stand in the output. This is NOT private."
        )


def say_total(what: str, cost: Cost) -> None:
    """Says what was released and what it cost."""
    if cost.epsilon_unit == "text":
        streams.say(what)
        streams.say(f"cost: epsilon {cost.epsilon:.6g} per text adds up to {cost.worst_case:.6g}, over all texts")
        return
    counts = f"words {cost.words}, unknown tokens {cost.unknown}, tokens left out {cost.dropped}"
    if cost.verbatim:
        counts += f", tokens passed through AS TYPED {cost.verbatim}"
    if cost.public_words:
        counts += f", public words {cost.public_words}"
    streams.say(f"{what}, {counts}")
    if cost.epsilon_unit == "word":
        streams.say(f"cost: epsilon {cost.epsilon:.6g} per word adds up to {cost.worst_case:.6g}, over all tokens")
    else:
        streams.say(
            f"cost: epsilon {cost.epsilon:.6g} per differing bit adds up to {cost.average:.6g} on average and "
            f"{cost.worst_case:.6g} at worst, over all tokens"
        )
