"""The type stubs of the native module list what it has: every name, no more."""

import ast
from pathlib import Path

from hushbit import _core

STUB = ast.parse((Path(__file__).parents[1] / "python/hushbit/_core.pyi").read_text(encoding="utf-8"))


def declared(body: list[ast.stmt]) -> dict[str, ast.stmt]:
    """Public names and what declares them."""
    names: dict[str, ast.stmt] = {}
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            names[statement.name] = statement
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            names[statement.target.id] = statement
    return {name: statement for name, statement in names.items() if not name.startswith("_")}


def public(value: object) -> set[str]:
    return {name for name in dir(value) if not name.startswith("_")}


def test_every_name_has_a_type_and_is_there() -> None:
    names = declared(STUB.body)
    assert set(names) == public(_core)
    classes = {name: statement for name, statement in names.items() if isinstance(statement, ast.ClassDef)}
    assert len(classes) > 5
    for name, statement in classes.items():
        assert set(declared(statement.body)) == public(getattr(_core, name)), name


def test_every_class_is_typed_throughout() -> None:
    for statement in ast.walk(STUB):
        if isinstance(statement, ast.FunctionDef):
            arguments = [*statement.args.posonlyargs, *statement.args.args, *statement.args.kwonlyargs]
            untyped = [argument.arg for argument in arguments if argument.annotation is None]
            assert set(untyped) <= {"self"}, statement.name
            assert statement.returns is not None, statement.name
