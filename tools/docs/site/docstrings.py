"""What Griffe makes of Hushbit's docstrings: plain text becomes Markdown, and what a decorator takes is shown."""

import re
from collections.abc import Iterator
from typing import Any

import griffe
from comments import to_markdown

FIELD = re.compile(r"^(\w+(?:, \w+)*): +", re.MULTILINE)
OPTIONS = re.compile(r"with_options_of\((\w+)\)")


class PlainDocstrings(griffe.Extension):
    """Changes all docstrings of a package, once it is loaded."""

    def on_package(self, *, pkg: griffe.Module, **kwargs: Any) -> None:  # noqa: ARG002
        """Changes what is shown, in place."""
        for found in objects(pkg):
            if found.docstring is not None:
                found.docstring.value = to_markdown(with_list_of_fields(found.docstring.value, found), {})
            if isinstance(found, griffe.Function):
                take_options(found)


def objects(parent: griffe.Object) -> Iterator[griffe.Object]:
    """An object and all in it."""
    yield parent
    for member in parent.members.values():
        if isinstance(member, griffe.Object):
            yield from objects(member)


def with_list_of_fields(text: str, found: griffe.Object) -> str:
    """Lines `name: what it is` of a record or of parameters, as a list."""
    names = set(found.members)
    constructor = found.members.get("__init__", found)
    if isinstance(constructor, griffe.Function):
        names |= {parameter.name for parameter in constructor.parameters}

    def item(field: re.Match[str]) -> str:
        listed = field[1].split(", ")
        return f"- {', '.join(f'`{name}`' for name in listed)}: " if names.issuperset(listed) else field[0]

    return FIELD.sub(item, text)


def take_options(function: griffe.Function) -> None:
    """A method that is written with a record of options takes its fields."""
    for decorator in function.decorators:
        if found := OPTIONS.fullmatch(str(decorator.value)):
            options = function.module.resolve(found[1])
            record = function.package[options.partition(".")[2]]
            taken = [parameter for parameter in record.parameters if parameter.name != "self"]
            function.parameters = griffe.Parameters(function.parameters["self"], *taken)
