"""One seed for each piece of work, from the seed of the run and the name of the piece."""

import hashlib


def seed_of(seed: int, *names: object) -> int:
    """A number below 2^63 that depends on every name and its place.

    So a piece of work draws the same whichever others run, in whatever order and on however many processors.
    """
    text = "\0".join([str(seed), *map(repr, names)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little") >> 1
