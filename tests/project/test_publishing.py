"""What a repository is published with: citation, issue templates, and what the package says of itself."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import hushbit

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("[!c]*.yml"))


def test_citation_names_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == hushbit.__version__
    assert citation["license"] == PROJECT["project"]["license"]
    assert {"cff-version", "message", "title", "authors"} <= set(citation)


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_issue_forms_warn_of_private_text(path: Path) -> None:
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert form["name"]
    assert form["description"]
    kinds = [field["type"] for field in form["body"]]
    assert kinds[0] == "markdown"
    assert "Paste no private text" in form["body"][0]["attributes"]["value"]
    assert set(kinds) <= {"markdown", "textarea", "input", "dropdown", "checkboxes"}
    names = [field["id"] for field in form["body"] if field["type"] != "markdown"]
    assert len(names) == len(set(names)) >= 3


def test_there_are_issue_forms_and_no_blank_issue() -> None:
    assert len(FORMS) == 3
    config = yaml.safe_load((ROOT / ".github/ISSUE_TEMPLATE/config.yml").read_text(encoding="utf-8"))
    assert config == {"blank_issues_enabled": False}


def test_security_page_is_where_it_is_looked_for() -> None:
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert re.search(r"^## How to report$", page, re.MULTILINE)
    assert re.search(r"^## What counts$", page, re.MULTILINE)


def test_classifiers_are_the_versions_that_wheels_are_built_for() -> None:
    named = re.findall(r"Python :: (3\.\d+)$", "\n".join(PROJECT["project"]["classifiers"]), re.MULTILINE)
    assert [f"cp{version.replace('.', '')}-*" for version in named] == PROJECT["tool"]["cibuildwheel"]["build"].split()
    assert f">={named[0]}" == PROJECT["project"]["requires-python"]


@pytest.mark.parametrize(
    ("macros", "attribute"),
    [
        ([], ""),
        (["HUSHBIT_SHARED"], '__attribute__((visibility("default")))'),
        (["_WIN32"], ""),
        (["_WIN32", "HUSHBIT_SHARED"], "__declspec(dllimport)"),
        (["_WIN32", "HUSHBIT_SHARED", "HUSHBIT_BUILD"], "__declspec(dllexport)"),
    ],
)
def test_only_a_shared_library_exports_functions(macros: list[str], attribute: str) -> None:
    compiler = shutil.which(os.environ.get("CC", "cc"))
    assert compiler, "no C compiler"
    header = ROOT / "native/include/hushbit/hushbit.h"
    command = [compiler, "-E", "-P", *[f"-D{macro}" for macro in macros], str(header)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert f"{attribute} const char* hushbit_version(void);".strip() in map(str.strip, done.stdout.splitlines())


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60, check=False)


def test_there_is_one_version() -> None:
    assert run(ROOT / "tools/release/version").stdout.strip() == hushbit.__version__


def test_notes_are_a_section_of_the_changelog() -> None:
    notes = run(sys.executable, ROOT / "tools/release/notes", "--unreleased").stdout
    assert notes.startswith("### ")
    assert "\n## " not in notes
    assert notes.strip() in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_bill_of_materials_names_files_and_requirements(tmp_path: Path) -> None:
    (tmp_path / "a.whl").write_bytes(b"wheel")
    assert run(sys.executable, ROOT / "tools/release/bill_of_materials.py", tmp_path).returncode == 0
    bill = json.loads((tmp_path / "hushbit.cdx.json").read_text(encoding="utf-8"))
    names = [component["name"] for component in bill["components"]]
    assert names == ["a.whl", *(re.split(r"\W", r)[0] for r in PROJECT["project"]["dependencies"])]
    assert bill["components"][0]["hashes"][0]["content"] == hashlib.sha256(b"wheel").hexdigest()
    assert bill["metadata"]["component"]["version"] == hushbit.__version__
    sums = (tmp_path / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    assert [line.split()[1] for line in sums] == ["a.whl", "hushbit.cdx.json"]
    assert sums[1].split()[0] == hashlib.sha256((tmp_path / "hushbit.cdx.json").read_bytes()).hexdigest()


def test_release_workflow_publishes_nothing_unless_told() -> None:
    """Every script that it calls is there."""
    text = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    workflow = yaml.safe_load(text)
    assert workflow[True]["workflow_dispatch"]["inputs"]["dry_run"]["default"] is True  # YAML reads `on` as true
    assert workflow["permissions"] == {"contents": "read"}
    assert "inputs.dry_run" in workflow["jobs"]["publish"]["if"]
    publishing = re.compile("npm publish|gh release create|gh-action-pypi-publish")
    for name, job in workflow["jobs"].items():
        assert name == "publish" or not publishing.search(json.dumps(job)), name
    for script in set(re.findall(r"(?<!/)\b(?:tools|web)/[\w/.]+", text)):
        assert (ROOT / script).is_file(), script


def test_what_is_published_is_run_first_and_npm_goes_first() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))
    steps = {name: [json.dumps(step) for step in job["steps"]] for name, job in workflow["jobs"].items()}
    assert any('"web/build"' in step for step in steps["npm"]), "with the English bundle, which load() opens"
    assert any("try_npm" in step for step in steps["npm"])
    assert any("tools/release/address --expect" in step for step in steps["plan"])
    wanted = ["sha256sum --check", "try_npm", "try_wheel", "npm publish", "gh-action-pypi-publish", "gh release create"]
    order = [next(place for place, step in enumerate(steps["publish"]) if what in step) for what in wanted]
    assert order == sorted(order)
    again = ["npm view .* || npm publish", "skip-existing", "gh release view .* || "]
    assert all(re.search(what.replace("||", r"\|\|"), " ".join(steps["publish"])) for what in again)


def test_the_address_is_the_projects_or_a_placeholder_that_is_refused(tmp_path: Path) -> None:
    script = ROOT / "tools/release/address"
    shutil.copytree(script.parent, tmp_path / "tools/release")
    copied = tmp_path / "tools/release/address"

    def address(url: str, *arguments: str, issues: str = "") -> subprocess.CompletedProcess[str]:
        text = f'[project.urls]\nRepository = "{url}"\nIssues = "{issues or url}/issues"\n'
        (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
        return run(sys.executable, copied, *arguments)

    real, placeholder = "https://forge.example/hushbit", "https://hushbit.invalid/hushbit"
    assert address(real).stdout == f"{real}\n"
    assert address(real, "--expect", real).returncode == 0
    assert "from which this is released" in address(real, "--expect", f"{real}2").stderr
    assert "is a placeholder" in address(placeholder).stderr
    assert address(placeholder, "--placeholder").stdout == f"{placeholder}\n"
    assert "Issues should begin with" in address(real, issues="https://elsewhere.example").stderr
    assert run(sys.executable, script, "--placeholder").returncode == 0


@pytest.mark.parametrize("page", ["python/README.md", "web/README.md"])
def test_pages_of_packages_have_no_links_into_the_tree(page: str) -> None:
    """An index shows them without the files beside them."""
    text = (ROOT / page).read_text(encoding="utf-8")
    assert [target for target in re.findall(r"\]\(([^)]+)\)", text) if not target.startswith("https://")] == []
    named = re.findall(r"`?((?:docs/)?[\w-]+\.md)`?", text)
    assert named
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_the_page_of_the_package_shows_what_readme_shows() -> None:
    pages = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "python/README.md")]
    assert PROJECT["project"]["readme"] == "python/README.md"
    programs = [re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL) for page in pages]
    assert programs[0] == programs[1] != []


@pytest.mark.slow
def test_release_workflow_builds_wheels_for_every_system() -> None:
    """The wheels are those that cibuildwheel itself reads from its configuration and the matrix of the workflow."""
    workflow = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))
    platforms = {"ubuntu": "linux", "macos": "macos", "windows": "windows"}
    built: list[str] = []
    for machine in workflow["jobs"]["wheels"]["strategy"]["matrix"]["include"]:
        platform = platforms[machine["runner"].split("-")[0]]
        command = [sys.executable, "-m", "cibuildwheel", "--platform", platform, "--print-build-identifiers"]
        done = run(*command, "--archs", ",".join(machine["archs"].split()), ROOT)
        assert done.returncode == 0, done.stderr
        built += done.stdout.split()
    linux = [f"{libc}linux_{processor}" for libc in ("many", "musl") for processor in ("x86_64", "aarch64")]
    systems = [*linux, "macosx_x86_64", "macosx_arm64", "win_amd64"]
    assert sorted(built) == sorted(f"cp3{minor}-{system}" for minor in (11, 12, 13, 14) for system in systems)
