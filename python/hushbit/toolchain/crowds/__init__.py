"""Crowds: which words may come out, the stand-ins of the other words, and the near words that each word may become.

The mechanism, its proof and the format are in docs/crowd.md, docs/proofs.md and docs/bundle-format.md.
"""

from hushbit.toolchain.crowds.build import CrowdOptions, Crowds, build_crowds
from hushbit.toolchain.crowds.grades import FEW, GRADES, MANY, Grade, with_grades
from hushbit.toolchain.crowds.outputs import (
    choose_outputs,
    excluded_words,
    read_output_words,
    some_are_written_in_letters,
    word_weights,
)
from hushbit.toolchain.crowds.public_words import public_ids, public_words

__all__ = [
    "FEW",
    "GRADES",
    "MANY",
    "CrowdOptions",
    "Crowds",
    "Grade",
    "build_crowds",
    "choose_outputs",
    "excluded_words",
    "public_ids",
    "public_words",
    "read_output_words",
    "some_are_written_in_letters",
    "with_grades",
    "word_weights",
]
