"""Comments of the sources as Markdown. They are plain text with `code`, indented blocks of code, and lists."""

import re
from collections.abc import Mapping

WORDS = re.compile(r"`[^`\n]*`|\bdocs/([\w-]+)\.md\b|\b(?:hushbit|HUSHBIT)_\w+(?:\.\w+|\*)?|[\\*_<\[\]#~|]")
PAGE = re.compile(r"\bdocs/([\w-]+)\.md\b")
LIST_ITEM = re.compile(r" *(?:-|\d+\.) ")


def to_markdown(text: str, anchors: Mapping[str, str]) -> str:
    """A comment's paragraphs: names that `anchors` knows become links, blocks that are indented stay as they are.

    It is for pages of a folder beside those of docs.
    """
    paragraphs = re.split(r"\n(?:[ \t]*\n)+", text.strip("\n"))
    return "\n\n".join(paragraph_to_markdown(paragraph, anchors) for paragraph in paragraphs)


def paragraph_to_markdown(text: str, anchors: Mapping[str, str]) -> str:
    """One paragraph, with a list in it or without."""
    if all(line.startswith("    ") for line in text.splitlines()):
        return text
    return with_gaps_around_lists(WORDS.sub(lambda found: word_to_markdown(found[0], found[1], anchors), text))


def word_to_markdown(word: str, page: str | None, anchors: Mapping[str, str]) -> str:
    """A name, code, or a character that Markdown would take for its own."""
    if page is not None:
        return f"[docs/{page}.md](../{page}.md)"
    if len(word) == 1:
        return "&lt;" if word == "<" else f"\\{word}"
    name = word.strip("`")
    anchor = anchors.get(name.partition(".")[0])
    return f"`{name}`" if anchor is None else f"[`{name}`]({anchor})"


def with_gaps_around_lists(text: str) -> str:
    """Lists of Python-Markdown need empty lines around them, and no white space before their first items."""
    lines: list[str] = []
    was_inside = False
    for line in text.splitlines():
        is_item = LIST_ITEM.match(line) is not None
        inside = is_item or (was_inside and line.startswith(" "))
        if lines and inside != was_inside:
            lines.append("")
        lines.append(line.lstrip() if is_item else line)
        was_inside = inside
    return "\n".join(lines)


def with_links_to_pages(text: str) -> str:
    """Names of pages of docs as links; for a page of a folder beside those."""
    return PAGE.sub(r"[docs/\1.md](../\1.md)", text)
