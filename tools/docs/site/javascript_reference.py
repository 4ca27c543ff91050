"""The reference of the npm package, as Markdown, from what TypeDoc reads in its modules (`typedoc --json`)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from comments import with_gaps_around_lists, with_links_to_pages

Item = dict[str, Any]
FUNCTION, CLASS, RECORD, CONSTRUCTOR, ACCESSOR, TYPE = 64, 128, 256, 512, 262144, 2097152  # TypeDoc's ReflectionKind
MODULES = {"index": "hushbit", "share": "hushbit/share"}
SECTIONS = {"Functions": [FUNCTION], "Classes": [CLASS], "Types": [RECORD, TYPE]}
OF_ELEMENTS = ("connectedCallback", "disconnectedCallback")


def javascript_reference(path: Path) -> str:
    """The page: functions, classes and types of each module, in this order."""
    modules = {module["name"]: module for module in json.loads(path.read_text(encoding="utf-8"))["children"]}
    parts = ["# The JavaScript interface"]
    for name, title in MODULES.items():
        parts.append(f"## `{title}` {{ #module-{name} }}")
        for section, kinds in SECTIONS.items():
            items = [item for item in modules[name]["children"] if item["kind"] in kinds]
            if items:
                parts.append(f"### {section} of `{title}` {{ #{name}-{section.lower()} }}")
            for item in items:
                parts.extend(item_to_markdown(item))
    return "\n\n".join(part for part in parts if part) + "\n"


def item_to_markdown(item: Item) -> Iterator[str]:
    """What a module exports, and what a class has."""
    name = item["name"]
    yield from entry(name, name, 4, code_of(item), comment_of(item))
    if item["kind"] in SECTIONS["Types"]:
        yield fields_of(item.get("type", {"declaration": item}))
    for member in item.get("children", []) if item["kind"] == CLASS else []:
        if is_shown(member):
            yield from entry(f"{name}.{member['name']}", member["name"], 5, code_of(member), comment_of(member))


def is_shown(member: Item) -> bool:
    """Whether people use a member of a class: nothing of the browser's elements, no constructors that are internal."""
    inherited = "inheritedFrom" in member or member.get("flags", {}).get("isInherited", False)
    said = text_of(comment_of(member).get("summary", []))
    internal = member["kind"] == CONSTRUCTOR and (
        not said or said.startswith(("Internal", "For `", "Opens a bundle in"))
    )
    return not inherited and not internal and not member["name"].startswith(("[", *OF_ELEMENTS))


def entry(anchor: str, name: str, level: int, code: str, comment: Item) -> Iterator[str]:
    """A heading, the code, what it means."""
    yield f"{'#' * level} `{name}` {{ #{anchor} }}"
    yield f"```ts\n{code}\n```"
    yield with_gaps_around_lists(text_of(comment.get("summary", [])))
    lines = [*comment.get("parameters", []), *tags_of(comment)]
    if lines:
        yield "\n".join(lines)


def comment_of(item: Item) -> Item:
    """Its comment, or that of its signature, with its parameters as lines."""
    signature = signature_of(item)
    found: Item = dict((signature or item).get("comment") or item.get("comment") or {})
    described = [
        f"- `{parameter['name']}`: {text_of(parameter['comment']['summary'])}"
        for parameter in (signature or {}).get("parameters", [])
        if parameter.get("comment")
    ]
    return found | {"parameters": described}


def tags_of(comment: Item) -> Iterator[str]:
    """What is returned, if it is described."""
    for tag in comment.get("blockTags", []):
        if tag["tag"] == "@returns" and text_of(tag["content"]):
            yield f"- returns {text_of(tag['content'])}"


def text_of(parts: list[Item]) -> str:
    """The text of a comment."""
    return with_links_to_pages("".join(part["text"] for part in parts).strip())


def signature_of(item: Item) -> Item | None:
    """The signature of a function, a method, a constructor, or what reads an accessor."""
    found: Item | None = item.get("getSignature") or next(iter(item.get("signatures", [])), None)
    return found


def code_of(item: Item) -> str:
    """A type as it is written in TypeScript."""
    name, signature = item["name"], signature_of(item)
    if item["kind"] == CLASS:
        extended = [type_of(each) for each in item.get("extendedTypes", [])]
        return f"class {name}" + (f" extends {extended[0]}" if extended else "")
    if item["kind"] == RECORD:
        return f"type {name} = {record_of(item, deep=False)}"
    if item["kind"] == TYPE:
        return f"type {name} = {type_of(item['type'], deep=False)}"
    static = "static " if item.get("flags", {}).get("isStatic") else ""
    if signature is None or item["kind"] == ACCESSOR:
        read_only = "readonly " if item.get("flags", {}).get("isReadonly") or "setSignature" not in item else ""
        optional = "?" if item.get("flags", {}).get("isOptional") else ""
        read_only = read_only if item["kind"] == ACCESSOR or item.get("flags", {}).get("isReadonly") else ""
        return f"{static}{read_only}{name}{optional}: {type_of((signature or item)['type'])}"
    keyword = "function " if item["kind"] == FUNCTION else static
    if item["kind"] == CONSTRUCTOR:
        return f"new {type_of(signature['type'])}({parameters_of(signature)})"
    return f"{keyword}{name}({parameters_of(signature)}): {type_of(signature['type'])}"


def parameters_of(signature: Item) -> str:
    """The parameters between the parentheses."""
    return ", ".join(
        f"{parameter['name'].replace('__namedParameters', 'options')}"
        f"{'?' if parameter.get('flags', {}).get('isOptional') or 'defaultValue' in parameter else ''}"
        f": {type_of(parameter['type'])}"
        for parameter in signature.get("parameters", [])
    )


def type_of(kind: Item, deep: bool = True) -> str:
    """A type in TypeScript. Records are spelled out only if `deep`; elsewhere their fields are listed below."""
    match kind["type"]:
        case "literal":
            return json.dumps(kind["value"])
        case "union" | "intersection":
            sign = " | " if kind["type"] == "union" else " & "
            return sign.join(type_of(each) for each in kind["types"])
        case "array":
            inner = type_of(kind["elementType"])
            return f"({inner})[]" if " " in inner else f"{inner}[]"
        case "typeOperator":
            return f"{kind['operator']} {type_of(kind['target'])}"
        case "indexedAccess":
            return f"{type_of(kind['objectType'])}[{type_of(kind['indexType'])}]"
        case "tuple":
            return f"[{', '.join(type_of(each) for each in kind.get('elements', []))}]"
        case "reflection":
            return record_of(kind["declaration"], deep)
        case _:
            arguments = ", ".join(type_of(each) for each in kind.get("typeArguments", []))
            name = kind["name"].rpartition(".")[2]
            return f"{name}<{arguments}>" if arguments else name


def record_of(declaration: Item, deep: bool) -> str:
    """A record or a function as a type."""
    if signature := signature_of(declaration):
        return f"({parameters_of(signature)}) => {type_of(signature['type'])}"
    fields = declaration.get("children", [])
    return f"{{ {'; '.join(map(code_of, fields)) if deep else '…'} }}"


def fields_of(kind: Item) -> str:
    """The fields of a record as a list, with what they mean."""
    parts = kind.get("types", [kind])
    fields = [each for part in parts for each in part.get("declaration", {}).get("children", [])]
    said = [" ".join(text_of(comment_of(each).get("summary", [])).split()) for each in fields]
    return "\n".join(
        f"- `{code_of(each)}`{f': {text}' if text else ''}" for each, text in zip(fields, said, strict=True)
    )
