"""Checks whether a mechanism keeps its promise: by enumeration and closed forms if possible, otherwise by testing
draws.

Each check is a function that takes the mechanism and returns a `Check`, so that tests can pass a faulty mechanism.
"""

from hushbit.study.audit.check import LEVEL, Check

__all__ = ["LEVEL", "Check"]
