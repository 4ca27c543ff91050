#!/usr/bin/env python3
"""Compares the compiled stubs of android/stubs with Android's API: check_android_stubs.py CLASSES PACKAGES.

CLASSES holds the stubs' class files, PACKAGES the Python package chaquopy-stubs-android, which lists the API's classes,
members and types (not the values of constants). Every class, superclass, member and type of the stubs must be there.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

# Java's name for what the list's unions begin with; a bare int, str or float may be any of several.
EXACT = {"jint": "int", "jlong": "long", "jchar": "char", "jfloat": "float", "jdouble": "double", "jboolean": "boolean"}
LOOSE = {
    "int": {"int", "long"},
    "bool": {"boolean"},
    "float": {"float", "double"},
    "str": {"String", "char"},
    "None": {"void"},
}
ARRAY = re.compile(r"java\.chaquopy\.JavaArray\[(.+)\]")
MEMBER = re.compile(r"^  (?:public|protected) (.*);$")


@cache
def module(path: Path) -> ast.Module:
    """The parsed list of a package."""
    return ast.parse(path.read_text())


def find_class(packages: Path, name: str) -> ast.ClassDef | None:
    """The class called like `android.view.View$OnClickListener`."""
    package, _, classes = name.rpartition(".")
    first, *rest = package.split(".")
    path = packages.joinpath(f"{first}-stubs", *rest, "__init__.pyi")
    body: list[ast.stmt] = module(path).body if path.exists() else []
    found = None
    for part in classes.split("$"):
        found = next((node for node in body if isinstance(node, ast.ClassDef) and node.name == part), None)
        if found is None:
            return None
        body = found.body
    return found


def last(name: str) -> str:
    """`View` of `android.view.View<T>`."""
    return re.split(r"[.$]", re.sub(r"<.*>", "", name).strip())[-1]


def java_name(part: str) -> str:
    """`View` of `android.view.View<T>`, `String[]` of an array of strings."""
    array = ARRAY.fullmatch(part)
    return f"{EXACT.get(last(array[1]), last(array[1]))}[]" if array else last(part)


def java_types(annotation: ast.expr | None) -> set[str]:
    """What Java may call the type of an annotation."""
    parts = [part.strip() for part in ast.unparse(annotation).split("|")] if annotation else ["None"]
    names = {java_name(part) for part in parts}
    exact = {EXACT[name] for name in names if name in EXACT}
    if exact:
        return exact
    if any(part.startswith("typing.Type[") for part in parts):
        return {"Class"}
    named = {name for name in names if name not in LOOSE}
    return named or set().union(*(LOOSE[name] for name in names))


def signatures(found: ast.ClassDef, name: str) -> Iterator[tuple[set[str], list[set[str]], bool]]:
    """Result, parameters and whether more may follow, for each overload."""
    for node in found.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            parameters = [*node.args.posonlyargs, *node.args.args]
            types = [java_types(parameter.annotation) for parameter in parameters if parameter.arg != "self"]
            yield java_types(node.returns), types, node.args.vararg is not None


def has_method(found: ast.ClassDef, name: str, result: str, parameters: list[str]) -> bool:
    """Whether the API has a method with these types; varargs are the last parameter, `Object...`."""
    is_open = bool(parameters) and parameters[-1].endswith("...")
    fixed = parameters[:-1] if is_open else parameters
    return any(
        has_more == is_open
        and result in results
        and len(types) == len(fixed)
        and all(last(given) in allowed for given, allowed in zip(fixed, types, strict=True))
        for results, types, has_more in signatures(found, name)
    )


def member_problem(found: ast.ClassDef, declaration: str, class_name: str) -> str | None:
    """What is wrong with one line of javap."""
    declaration = re.sub(r"\b(?:static|final|abstract|default) ", "", declaration).partition(" = ")[0]
    method = re.match(r"(?:(\S+) )?(\S+)\((.*)\)(?: throws .*)?$", declaration)
    if not method:
        name = declaration.split()[-1]
        fields = [node.target for node in found.body if isinstance(node, ast.AnnAssign)]
        known = any(isinstance(field, ast.Name) and field.id == name for field in fields)
        return None if known or is_property(found, name) else f"no field {name}"
    result, name, list_of_types = method.groups()
    parameters = [part.strip() for part in list_of_types.split(",") if part.strip()]
    if result is None:
        is_implicit = not parameters  # the one that javac adds
        known = is_implicit or has_method(found, "__init__", "void", parameters)
    else:
        known = has_method(found, name, last(result), parameters)
    return None if known else f"no {name}({list_of_types}) of type {result or class_name}"


def is_property(found: ast.ClassDef, name: str) -> bool:
    """Whether a field is listed as a property."""
    return any(isinstance(node, ast.FunctionDef) and node.name == name for node in found.body)


def problems(packages: Path, name: str, listing: str) -> Iterator[str]:
    """What is wrong with one class, from its javap."""
    found = find_class(packages, name)
    if found is None:
        yield "no such class"
        return
    superclass = re.search(r" class \S+ extends ([\w.$]+)", listing)
    bases = {last(ast.unparse(base)) for base in found.bases}
    if superclass and last(superclass[1]) not in bases:
        yield f"extends {superclass[1]}, not one of {sorted(bases)}"
    for line in listing.splitlines():
        if match := MEMBER.match(line):
            problem = member_problem(found, match[1], name)
            if problem:
                yield problem


def main() -> int:
    """Prints every difference; 1 if there is one."""
    classes, packages = Path(sys.argv[1]), Path(sys.argv[2])
    # What is in androidx comes from libraries and is not listed.
    paths = [path.relative_to(classes) for path in classes.rglob("*.class")]
    names = sorted(path.with_suffix("").as_posix() for path in paths if path.parts[0] != "androidx")
    found = 0
    for name in (name.replace("/", ".") for name in names):
        command = ["javap", "-protected", "-cp", str(classes), name]
        listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        for problem in problems(packages, name, listing):
            print(f"{name}: {problem}")
            found += 1
    print(f"{len(names)} classes compared, {found} differences")
    return 1 if found or not names else 0


if __name__ == "__main__":
    sys.exit(main())
