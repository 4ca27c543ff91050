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

import xcode_project
import yaml

SAMPLE = Path("ios/KeyboardSample")
PROJECT = SAMPLE / "KeyboardSample.xcodeproj/project.pbxproj"
ENTITLEMENTS = "Shared/KeyboardSample.entitlements"
WORDS = ["english.hushbit", "LICENSE-PDDL.txt"]
EXTENSIONS_FOLDER = "13"
SETTINGS_OF_XCODE = {
    "DEVELOPMENT_LANGUAGE", "EXECUTABLE_NAME", "PRODUCT_BUNDLE_PACKAGE_TYPE", "PRODUCT_MODULE_NAME", "PRODUCT_NAME",
}  # fmt: skip
FRAMEWORK = Path("ios/Framework")
SOURCE_ROOT = "$(SRCROOT)/"
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
    """Checks that a privacy manifest says what is true, and no more."""
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
    """Checks that there is an app group, the one that the sources name, and nothing else."""
    found = read_plist(root / SAMPLE / ENTITLEMENTS)
    match = re.search(r'static let group = "(.*)"', (root / SAMPLE / "Shared/Containers.swift").read_text())
    group = match[1] if match else ""
    yield from differences(found, {GROUPS: [group]})
    yield from (f"{key} is not expected" for key in found.keys() - {GROUPS})
    if not group.startswith("group."):
        yield f"the app group is called {group!r}, without group."


def check_sample(root: Path) -> Iterator[str]:
    """The sample's project: that it holds together, its targets, and that no source is left out."""
    project = xcode_project.Project(root / PROJECT)
    yield from xcode_project.problems(project)
    yield from differences(project.content, {"objectVersion": "77"})
    app, keyboard = project.target("KeyboardSample"), project.target("Keyboard")
    yield from check_target(project, app, "App", ["Hushbit"])
    yield from check_target(project, keyboard, "Keyboard", ["Hushbit", "HushbitEnglish"])
    yield from differences(app, {"productType": "com.apple.product-type.application"})
    yield from differences(keyboard, {"productType": "com.apple.product-type.app-extension"})
    embedded = project.files(app, "PBXCopyFilesBuildPhase", dstSubfolderSpec=EXTENSIONS_FOLDER)
    dependencies = [dependency["target"] for dependency in project.every(app["dependencies"])]
    if embedded != [project[keyboard["productReference"]]] or project.every(dependencies) != [keyboard]:
        yield "the app does not build and embed the keyboard"
    for (name, of_app), (_, of_keyboard) in zip(project.settings(app), project.settings(keyboard), strict=True):
        app_identifier, identifier = of_app["PRODUCT_BUNDLE_IDENTIFIER"], of_keyboard["PRODUCT_BUNDLE_IDENTIFIER"]
        if not identifier.startswith(app_identifier + "."):
            yield f"{name}: the keyboard's identifier {identifier} does not begin with the app's, {app_identifier}"
    packages = project.every(project.root["packageReferences"])
    if [(project.folder / package["relativePath"]).resolve() for package in packages] != [root.resolve()]:
        yield f"the packages are {packages}, not the one at the root"
    listed = {folder["path"] for target in (app, keyboard) for folder in folders(project, target)}
    for path in sorted(project.folder.rglob("*.swift")):
        if path.relative_to(project.folder).parts[0] not in listed:
            yield f"{path.relative_to(root)} belongs to no target"


def folders(project: xcode_project.Project, target: dict[str, Any]) -> list[dict[str, Any]]:
    """The folders whose files are a target's."""
    return project.every(target["fileSystemSynchronizedGroups"])


def check_target(
    project: xcode_project.Project, target: dict[str, Any], folder: str, products: list[str]
) -> Iterator[str]:
    """One target of the sample: its folders, its resources, the products of the package, and its settings."""
    name = target["name"]
    if [one["path"] for one in folders(project, target)] != [folder, "Logic", "Shared"]:
        yield f"{name} is not made of {folder}, Logic and Shared"
    files = project.files(target, "PBXResourcesBuildPhase")
    if [file["path"] for file in files] != ["PrivacyInfo.xcprivacy"]:
        yield f"the resources of {name} are not PrivacyInfo.xcprivacy alone"
    linked = project.files(target, "PBXFrameworksBuildPhase")
    if (
        linked != project.every(target["packageProductDependencies"])
        or [product["productName"] for product in linked] != products
    ):
        yield f"{name} does not depend on {' and '.join(products)}, or does not link all of it"
    exceptions = [one for group in folders(project, target) for one in project.every(group.get("exceptions", []))]
    excepted = {file for one in exceptions if project[one["target"]] is target for file in one["membershipExceptions"]}
    for configuration, settings in project.settings(target):
        expected = {"IPHONEOS_DEPLOYMENT_TARGET": deployment_target(project), "SWIFT_STRICT_CONCURRENCY": "complete"}
        expected |= {"INFOPLIST_FILE": f"{folder}/Info.plist", "CODE_SIGN_ENTITLEMENTS": ENTITLEMENTS}
        yield from (f"{name}, {configuration}: {what}" for what in differences(settings, expected))
        text = (project.folder / folder / "Info.plist").read_text()
        for setting in sorted(set(re.findall(r"\$\((\w+)\)", text)) - settings.keys() - SETTINGS_OF_XCODE):
            yield f"{name}, {configuration}: {setting} is not set"
    for file in ("Info.plist", Path(ENTITLEMENTS).name):
        if file not in excepted:
            yield f"{name} would have {file} as a resource"


def deployment_target(project: xcode_project.Project) -> str:
    """The version of iOS that the package demands."""
    manifest = (project.folder / "../../Package.swift").read_text()
    match = re.search(r"\.iOS\(\.v(\d+)\)", manifest)
    return f"{match[1]}.0" if match else "missing from Package.swift"


def check_framework(root: Path) -> Iterator[str]:
    """The description of the framework that tools/phones/build_xcframework builds."""
    project = yaml.safe_load((root / FRAMEWORK / "project.yml").read_text())
    target = project.get("targets", {}).get("Hushbit", {})
    yield from differences(project.get("options", {}).get("deploymentTarget", {}), {"iOS": "15.0"})
    yield from differences(target, {"type": "framework", "platform": "iOS"})
    sources = [source for source in target.get("sources", []) if isinstance(source, dict)]
    resources = [source["path"] for source in sources if source.get("buildPhase") == "resources"]
    if resources != ["../Sources/Hushbit/PrivacyInfo.xcprivacy"]:
        yield f"the resources are {resources}, not PrivacyInfo.xcprivacy"
    found = target.get("settings", {}).get("base", {})
    paths = [source["path"] for source in sources]
    paths += f"{found.get('SWIFT_INCLUDE_PATHS')} {found.get('HEADER_SEARCH_PATHS')}".split()
    yield from (
        f"there is no {path}" for path in paths if not (root / FRAMEWORK / path.removeprefix(SOURCE_ROOT)).exists()
    )
    settings = {"CLANG_CXX_LANGUAGE_STANDARD": "c++20", "APPLICATION_EXTENSION_API_ONLY": True}
    settings |= {"BUILD_LIBRARY_FOR_DISTRIBUTION": True, "SKIP_INSTALL": False}
    yield from differences(found, settings)
    core = [source for source in sources if source["path"] == "../../native/src"]
    if len(core) != 1 or "api/testing.cpp" not in core[0].get("excludes", []):
        yield "the framework would hold the seeded randomness of tests"


def check_english(root: Path) -> Iterator[str]:
    """Checks that the English words of the package are those of Python, with their license."""
    manifest = (root / "Package.swift").read_text()
    words = root / "ios/Sources/HushbitEnglish/words"
    for name in WORDS:
        if (words / name).read_bytes() != (root / "python/hushbit/data" / name).read_bytes():
            yield f"{name} is not the file of Python"
        if f'.copy("words/{name}")' not in manifest:
            yield f"{name} is no resource of HushbitEnglish"


def check_accessibility(root: Path) -> Iterator[str]:
    """Checks that a screen reader can type with the sample's keys, and is told what changes above them."""
    for file, call in (("KeyboardView", ".accessibilityTraits = .keyboardKey"), ("BarView", "post(notification: .ann")):
        if call not in (root / SAMPLE / f"Keyboard/{file}.swift").read_text():
            yield f"{file}.swift does not call {call}"


def check_included(root: Path) -> Iterator[str]:
    """Tables that sources include, all of which the package leaves out: it would compile them."""
    manifest = (root / "Package.swift").read_text()
    for path in sorted((root / "native/src").rglob("*.inc")):
        name = path.relative_to(root / "native").as_posix()
        if f'"{name}"' not in manifest:
            yield f"{name} is not excluded"


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
        ("KeyboardSample.xcodeproj", check_sample(root)),
        ("Framework/project.yml", check_framework(root)),
        ("Package.swift", check_included(root)),
        ("HushbitEnglish", check_english(root)),
        ("accessibility", check_accessibility(root)),
        ("a required-reason API", check_reasons(root)),
    ]
    for where, check in checks:
        try:
            yield from (f"{where}: {problem}" for problem in check)
        except (OSError, ValueError, KeyError, yaml.YAMLError) as error:
            yield f"{where}: {error!r}" if isinstance(error, KeyError) else f"{where}: {error}"


def main() -> int:
    """Prints every problem; 1 if there is one."""
    found = list(problems(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(found) or "nothing wrong")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
