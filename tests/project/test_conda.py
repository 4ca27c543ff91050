"""The recipe for conda-forge renders for every Python and system, and says what pyproject.toml says.

Building it takes the packages of conda-forge, which these tests do not fetch.
"""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from rattler_build import PlatformConfig, RenderConfig, Stage0Recipe, VariantConfig

import hushbit

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VARIANTS = """
python: ["3.11", "3.12", "3.13", "3.14"]
cxx_compiler: [gxx]
c_stdlib: [sysroot]
"""


def rendered(platform: str) -> list[dict[str, Any]]:
    recipe = Stage0Recipe.from_file(ROOT / "packaging/conda/recipe.yaml")
    config = RenderConfig(platform=PlatformConfig(target_platform=platform))
    return [found.recipe.to_dict() for found in recipe.render(VariantConfig.from_yaml(VARIANTS), config)]


def spelled(requirements: list[str]) -> set[str]:
    """The requirements as conda spells them, with a space after the name."""
    return {requirement.replace(">=", " >=") for requirement in requirements}


@pytest.mark.parametrize("platform", ["linux-64", "linux-aarch64", "osx-64", "osx-arm64"])
def test_it_renders_for_every_python(platform: str) -> None:
    pythons = [classifier.rpartition(" ")[2] for classifier in PROJECT["project"]["classifiers"] if "3." in classifier]
    builds = [recipe["build"]["string"].partition("h")[0] for recipe in rendered(platform)]
    assert builds == [f"py{version.replace('.', '')}" for version in pythons]


def test_it_says_what_the_package_says() -> None:
    recipe, project = rendered("linux-64")[0], PROJECT["project"]
    assert recipe["package"] == {"name": project["name"], "version": hushbit.__version__}
    assert recipe["about"]["homepage"] == project["urls"]["Repository"]
    assert recipe["about"]["summary"] == project["description"]
    assert recipe["about"]["license"] == project["license"]
    assert set(recipe["requirements"]["run"]) == {"python", *spelled(project["dependencies"])}
    assert set(recipe["requirements"]["host"]) == {"python", "pip", *spelled(PROJECT["build-system"]["requires"])}
    entry_points = [f"{name} = {function}" for name, function in project["scripts"].items()]
    assert recipe["build"]["python"]["entry_points"] == entry_points
