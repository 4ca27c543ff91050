"""Whether a mechanism keeps its promise: by enumeration and closed form where that is possible, else by testing draws.

Each check is a function that gives a `Check`, and takes the mechanism it checks, so that a faulty one can be planted.
"""

from hushbit.study.audit.check import LEVEL, Check

__all__ = ["LEVEL", "Check"]
