"""Words of a bundle that should not come out in somebody's place. Bundles made earlier may hold them."""

from hushbit import Bundle
from hushbit._plumbing.spelling import has_unseen_characters, is_long_number


def count(bundle: Bundle) -> dict[str, int]:
    """How many output words are long numbers, and how many hold control or format characters."""
    words = [bundle.word(int(word_id)) for word_id in bundle._native.output_words()]
    return {
        "long_numbers": sum(map(is_long_number, words)),
        "unseen_characters": sum(map(has_unseen_characters, words)),
    }


def human(counts: dict[str, int]) -> list[str]:
    """The same in sentences; none where there are no such words."""
    kinds = {"long_numbers": "of four or more digits", "unseen_characters": "with control or format characters"}
    return [
        f"{counts[name]:,} words {kind} are in the bundle and can come out; export it again to leave them out"
        for name, kind in kinds.items()
        if counts[name]
    ]
