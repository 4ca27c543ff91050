"""Opening and releasing need neither numpy nor rich: an app that only releases can be installed without them."""

import subprocess
import sys

import pytest

RELEASES = """
import hushbit
bundle = hushbit.open()
assert bundle.privatizer().privatize("The weather is lovely today.").text
assert len(list(bundle.privatizer().privatize_many(["one text", "another"]))) == 2
assert len(bundle.embedder().embed("The weather is lovely today.").direction) > 0
assert bundle.reporter("emoji").report("hello").to_json()
assert bundle.find("cat") is not None and bundle.tokenize("a cat")
"""
# As where they are not installed: `None` in sys.modules is an ImportError.
WITHOUT = "import sys\nsys.modules['numpy'] = sys.modules['rich'] = None\n"


def run(program: str, typed: bytes = b"") -> bytes:
    return subprocess.run([sys.executable, "-c", program], input=typed, capture_output=True, check=True).stdout


def test_releasing_imports_neither() -> None:
    run(RELEASES + "import sys\nassert not {'numpy', 'rich'} & set(sys.modules)")


def test_releasing_works_without_them() -> None:
    run(WITHOUT + RELEASES)


@pytest.mark.parametrize("command", ["privatize", "embed"])
def test_commands_that_release_work_without_them(command: str) -> None:
    program = f"{WITHOUT}from hushbit.cli import main\nsys.exit(main(['{command}']))"
    assert run(program, b"see you tomorrow\n").count(b"\n") == 1


def test_help_works_without_them() -> None:
    assert b"privatize" in run(f"{WITHOUT}from hushbit.cli import main\nsys.exit(main(['--help']))")
