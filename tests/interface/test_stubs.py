"""The type stubs of the native modules list what they have, every name and no more; what each is linked with."""

import ast
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from hushbit import _core, _core_testing

MODULES = (_core, _core_testing)
SAID_BY_TESTING = b"no such value to draw"
"""A message of native/src/api/testing.cpp alone, which stays in a module whose symbols were stripped."""


def stub_of(module: ModuleType) -> ast.Module:
    name = module.__name__.rpartition(".")[2]
    return ast.parse((Path(__file__).parents[2] / f"python/hushbit/{name}.pyi").read_text(encoding="utf-8"))


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


@pytest.mark.parametrize("module", MODULES)
def test_every_name_has_a_type_and_is_there(module: ModuleType) -> None:
    names = declared(stub_of(module).body)
    assert set(names) == public(module)
    classes = {name: statement for name, statement in names.items() if isinstance(statement, ast.ClassDef)}
    assert len(classes) == {_core: 19, _core_testing: 1}[module]
    for name, statement in classes.items():
        value = getattr(module, name)
        inherited = public(value.__bases__[0])
        assert set(declared(statement.body)) == public(value) - inherited, name


@pytest.mark.parametrize("module", MODULES)
def test_every_class_is_typed_throughout(module: ModuleType) -> None:
    for statement in ast.walk(stub_of(module)):
        if isinstance(statement, ast.FunctionDef):
            arguments = [*statement.args.posonlyargs, *statement.args.args, *statement.args.kwonlyargs]
            untyped = [argument.arg for argument in arguments if argument.annotation is None]
            assert set(untyped) <= {"self"}, statement.name
            assert statement.returns is not None, statement.name


def test_seeded_randomness_is_not_in_the_module_that_privatizes() -> None:
    files = {module: Path(str(module.__file__)).read_bytes() for module in MODULES}
    assert b"hushbit_testing_" not in files[_core]
    assert SAID_BY_TESTING not in files[_core]
    assert SAID_BY_TESTING in files[_core_testing]


def test_privatizing_does_not_load_seeded_randomness() -> None:
    program = """
import sys
import hushbit._commands.privatize
assert "hushbit._core" in sys.modules and "hushbit._core_testing" not in sys.modules
import hushbit.testing
assert "hushbit._core_testing" in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)
