"""The commands by group of the help: those that people begin with first."""

GROUPS: dict[str, dict[str, str]] = {
    "use: make texts private, and learn from what many release": {
        "embed": "_commands",
        "report": "_commands",
        "privatize": "_commands",
        "corpus": "corpus.commands",
        "count": "analysis.commands",
        "discover": "analysis.commands",
        "estimate": "analysis.commands",
        "shuffle": "analysis.commands",
        "inspect": "study.commands",
        "verify": "_commands",
        "neighbors": "_commands",
        "budget": "_commands",
        "key": "_commands",
    },
    "make: write a bundle of your own, or a private model": {
        "export": "toolchain.commands",
        "encode": "toolchain.commands",
        "hashing": "hashing.commands",
    },
    "judge: measure what an epsilon means, and what it costs": {
        "privacy": "study.commands",
        "calibrate": "study.commands",
        "sample": "study.commands",
        "compare": "study.commands",
        "audit": "study.commands",
        "evaluate": "study.commands",
        "quality": "toolchain.commands",
        "corrections": "study.commands",
    },
}
"""Titles of groups, and for each command the package of `hushbit` that has a module of its name."""
