#!/usr/bin/env python3
"""Checks what Xcode would read of ios/ and no compiler does: check_ios.py [ROOT].

Property lists, entitlements, privacy manifests, the descriptions of the projects and what they name, and that no API is
used that Apple lists as a required-reason API.
"""

import plistlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.parsers.expat import ExpatError

import yaml

SAMPLE = Path("ios/KeyboardSample")
FRAMEWORK = Path("ios/Framework")
MANIFESTS = [Path("ios/Sources/Hushbit/PrivacyInfo.xcprivacy"), SAMPLE / "PrivacyInfo.xcprivacy"]
NOTHING_PRIVATE = {
    "NSPrivacyTracking": False,
    "NSPrivacyTrackingDomains": [],
    "NSPrivacyCollectedDataTypes": [],
    "NSPrivacyAccessedAPITypes": [],
}
BUNDLE_KEYS = {
    "CFBundleExecutable": "$(EXECUTABLE_NAME)",
    "CFBundleIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER)",
    "CFBundleName": "$(PRODUCT_NAME)",
    "CFBundlePackageType": "$(PRODUCT_BUNDLE_PACKAGE_TYPE)",
    "CFBundleShortVersionString": "$(MARKETING_VERSION)",
    "CFBundleVersion": "$(CURRENT_PROJECT_VERSION)",
}
GROUPS = "com.apple.security.application-groups"
# Times of files, time since boot, space on disk, active keyboards, user defaults.
REASON_FUNCTIONS = (
    r"(?:f?stat|lstat|fstatat|f?statv?fs|f?getattrlist|getattrlist(?:at|bulk)|mach_(?:absolute|continuous)_time) *\("
)
REASON_NAMES = (
    r"(?:systemUptime|(?:creation|modification|contentModification|fileCreation|fileModification)Date\w*"
    r"|NSFile(?:Creation|Modification)Date|attributesOfItem|(?:NS)?UserDefaults|AppStorage|activeInputModes"
    r"|volume\w*Capacity\w*|system(?:Free)?Size)\b"
)
REASON = re.compile(rf"\b(?:{REASON_FUNCTIONS}|{REASON_NAMES})")
SHIPPED = ["native/src", "native/include", "ios/Sources", str(SAMPLE)]


def differences(found: dict[str, Any], expected: dict[str, Any]) -> Iterator[str]:
    """The keys of `expected` that are missing, or have another value or type."""
    for key, value in expected.items():
        if key not in found:
            yield f"{key} is missing"
        elif type(found[key]) is not type(value) or found[key] != value:
            yield f"{key} is {found[key]!r}, not {value!r}"


def read_plist(path: Path) -> dict[str, Any]:
    """A property list; ValueError if it is none."""
    try:
        found = plistlib.loads(path.read_bytes())
    except (OSError, ValueError, ExpatError) as error:
        raise ValueError(f"no property list: {error}") from error
    if not isinstance(found, dict):
        raise ValueError("not a dictionary")
    return found


def check_manifest(path: Path) -> Iterator[str]:
    """That a privacy manifest says what is true, and no more."""
    found = read_plist(path)
    yield from differences(found, NOTHING_PRIVATE)
    yield from (f"{key} is not expected" for key in found.keys() - NOTHING_PRIVATE.keys())


def declares(root: Path, folder: Path, class_name: str) -> bool:
    """Whether Swift in a folder declares a class that the property list names within its module."""
    name = class_name.removeprefix("$(PRODUCT_MODULE_NAME).")
    text = "\n".join(path.read_text() for path in sorted((root / folder).glob("*.swift")))
    return name != class_name and re.search(rf"\bclass {re.escape(name)}\b", text) is not None


def check_app(root: Path) -> Iterator[str]:
    """The containing app's Info.plist."""
    found = read_plist(root / SAMPLE / "App/Info.plist")
    yield from differences(found, BUNDLE_KEYS | {"LSRequiresIPhoneOS": True, "UILaunchScreen": {}})
    scenes = found.get("UIApplicationSceneManifest", {}).get("UISceneConfigurations", {})
    delegates = [
        scene.get("UISceneDelegateClassName") for scene in scenes.get("UIWindowSceneSessionRoleApplication", [])
    ]
    if len(delegates) != 1 or not declares(root, SAMPLE / "App", str(delegates[0])):
        yield f"the scene's delegates are {delegates}, not one class of the app"


def check_keyboard(root: Path) -> Iterator[str]:
    """The extension's Info.plist: above all, that it asks for no access."""
    found = read_plist(root / SAMPLE / "Keyboard/Info.plist")
    yield from differences(found, BUNDLE_KEYS)
    extension = found.get("NSExtension", {})
    yield from differences(extension, {"NSExtensionPointIdentifier": "com.apple.keyboard-service"})
    attributes = {"IsASCIICapable": True, "PrefersRightToLeft": False, "PrimaryLanguage": "en-US"}
    yield from differences(extension.get("NSExtensionAttributes", {}), attributes | {"RequestsOpenAccess": False})
    principal = str(extension.get("NSExtensionPrincipalClass"))
    if not declares(root, SAMPLE / "Keyboard", principal):
        yield f"NSExtensionPrincipalClass is {principal}, not a class of the keyboard"


def check_entitlements(root: Path) -> Iterator[str]:
    """That there is an app group, the one that the sources name, and nothing else."""
    found = read_plist(root / SAMPLE / "Shared/KeyboardSample.entitlements")
    match = re.search(r'static let group = "(.*)"', (root / SAMPLE / "Shared/Containers.swift").read_text())
    group = match[1] if match else ""
    yield from differences(found, {GROUPS: [group]})
    yield from (f"{key} is not expected" for key in found.keys() - {GROUPS})
    if not group.startswith("group."):
        yield f"the app group is called {group!r}, without group."


def source_folders(target: dict[str, Any]) -> list[str]:
    """The paths that a target takes its files from."""
    return [source if isinstance(source, str) else source["path"] for source in target.get("sources", [])]


def resources(target: dict[str, Any]) -> set[str]:
    """The names of the files that are resources whatever XcodeGen thinks of their ending, which changed with time."""
    sources = [source for source in target.get("sources", []) if isinstance(source, dict)]
    return {Path(source["path"]).name for source in sources if source.get("buildPhase") == "resources"}


def check_target(root: Path, folder: Path, name: str, target: dict[str, Any], kind: str) -> Iterator[str]:
    """One target of a project: its kind, its privacy manifest, and that what it names is there."""
    yield from (f"{name}: {what}" for what in differences(target, {"type": kind, "platform": "iOS"}))
    if "PrivacyInfo.xcprivacy" not in resources(target):
        yield f"{name} has no PrivacyInfo.xcprivacy among its resources"
    for source in source_folders(target):
        if not source.endswith(".hushbit") and not (root / folder / source).exists():
            yield f"{name}: there is no {source}"
    for setting, value in target.get("settings", {}).get("base", {}).items():
        if setting in {"INFOPLIST_FILE", "SWIFT_INCLUDE_PATHS", "HEADER_SEARCH_PATHS"}:
            for path in str(value).split():
                if not (root / folder / path.removeprefix("$(SRCROOT)/")).exists():
                    yield f"{name}: {setting} names no {path}"


def check_sample(root: Path) -> Iterator[str]:
    """The description of the sample's project."""
    project = yaml.safe_load((root / SAMPLE / "project.yml").read_text())
    targets = project.get("targets", {})
    yield from differences(project.get("options", {}).get("deploymentTarget", {}), {"iOS": "15.0"})
    for name, kind in {"KeyboardSample": "application", "Keyboard": "app-extension"}.items():
        target = targets.get(name, {})
        yield from check_target(root, SAMPLE, name, target, kind)
        if {"package": "Hushbit"} not in target.get("dependencies", []):
            yield f"{name} does not depend on Hushbit"
    if {"target": "Keyboard"} not in targets.get("KeyboardSample", {}).get("dependencies", []):
        yield "the app does not embed the keyboard"
    if "english.hushbit" not in resources(targets.get("Keyboard", {})):
        yield "the keyboard has no english.hushbit among its resources"
    package = str(project.get("packages", {}).get("Hushbit", {}).get("path"))
    if not (root / SAMPLE / package / "Package.swift").exists():
        yield f"there is no package at {package}"
    identifiers = [targets.get(name, {}).get("settings", {}).get("base", {}) for name in ("KeyboardSample", "Keyboard")]
    app, keyboard = (str(settings.get("PRODUCT_BUNDLE_IDENTIFIER")) for settings in identifiers)
    if not keyboard.startswith(app + "."):
        yield f"the keyboard's identifier {keyboard} does not begin with the app's, {app}"
    entitlements = project.get("settings", {}).get("base", {}).get("CODE_SIGN_ENTITLEMENTS")
    if not (root / SAMPLE / str(entitlements)).is_file():
        yield f"CODE_SIGN_ENTITLEMENTS names no {entitlements}"
    listed = {folder for target in targets.values() for folder in source_folders(target)}
    for path in sorted((root / SAMPLE).rglob("*.swift")):
        if path.relative_to(root / SAMPLE).parts[0] not in listed:
            yield f"{path.relative_to(root)} belongs to no target"


def check_framework(root: Path) -> Iterator[str]:
    """The description of the framework that tools/phones/build_xcframework builds."""
    project = yaml.safe_load((root / FRAMEWORK / "project.yml").read_text())
    target = project.get("targets", {}).get("Hushbit", {})
    yield from differences(project.get("options", {}).get("deploymentTarget", {}), {"iOS": "15.0"})
    yield from check_target(root, FRAMEWORK, "Hushbit", target, "framework")
    settings = {"CLANG_CXX_LANGUAGE_STANDARD": "c++20", "APPLICATION_EXTENSION_API_ONLY": True}
    settings |= {"BUILD_LIBRARY_FOR_DISTRIBUTION": True, "SKIP_INSTALL": False}
    yield from differences(target.get("settings", {}).get("base", {}), settings)
    sources = [source for source in target.get("sources", []) if isinstance(source, dict)]
    core = [source for source in sources if source["path"] == "../../native/src"]
    if len(core) != 1 or "api/testing.cpp" not in core[0].get("excludes", []):
        yield "the framework would hold the seeded randomness of tests"


def check_reasons(root: Path) -> Iterator[str]:
    """Uses of required-reason APIs in what ships: the manifests declare none."""
    for folder in SHIPPED:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in {".swift", ".cpp", ".h", ".inc"}:
                for number, line in enumerate(path.read_text().splitlines(), 1):
                    if match := REASON.search(line):
                        yield f"line {number} of {path.relative_to(root)} uses {match[0].rstrip('( ')}"


def problems(root: Path) -> Iterator[str]:
    """Everything that is wrong, a message each."""
    checks: list[tuple[str, Iterator[str]]] = [(str(path), check_manifest(root / path)) for path in MANIFESTS]
    checks += [
        ("App/Info.plist", check_app(root)),
        ("Keyboard/Info.plist", check_keyboard(root)),
        ("KeyboardSample.entitlements", check_entitlements(root)),
        ("KeyboardSample/project.yml", check_sample(root)),
        ("Framework/project.yml", check_framework(root)),
        ("a required-reason API", check_reasons(root)),
    ]
    for where, check in checks:
        try:
            yield from (f"{where}: {problem}" for problem in check)
        except (OSError, ValueError, yaml.YAMLError) as error:
            yield f"{where}: {error}"


def main() -> int:
    """Prints every problem; 1 if there is one."""
    found = list(problems(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(found) or "nothing wrong")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
