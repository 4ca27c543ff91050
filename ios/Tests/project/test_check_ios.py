"""tools/phones/check_ios.py finds each fault that is planted in a copy of what it reads, and nothing without one."""

import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/phones"))
import check_ios  # noqa: E402  # it stands beside what it imports

APP = "ios/KeyboardSample/App/Info.plist"
KEYBOARD = "ios/KeyboardSample/Keyboard/Info.plist"
ENTITLEMENTS = "ios/KeyboardSample/Shared/KeyboardSample.entitlements"
CONTAINERS = "ios/KeyboardSample/Shared/Containers.swift"
PROJECT = "ios/KeyboardSample/KeyboardSample.xcodeproj/project.pbxproj"
SETTINGS = "ios/KeyboardSample/Settings.xcconfig"
KEYS = "ios/KeyboardSample/Keyboard/KeyboardView.swift"
FRAMEWORK = "ios/Framework/project.yml"
MANIFEST = "ios/KeyboardSample/PrivacyInfo.xcprivacy"

OPEN_ACCESS = "<key>RequestsOpenAccess</key>\n      <false/>"

# File, what it says, what it is made to say, what must be found.
FAULTS = [
    (KEYBOARD, OPEN_ACCESS, OPEN_ACCESS.replace("false", "true"), "RequestsOpenAccess is True"),
    (KEYBOARD, OPEN_ACCESS, OPEN_ACCESS.replace("<false/>", "<string>NO</string>"), "RequestsOpenAccess is 'NO'"),
    (KEYBOARD, OPEN_ACCESS, "", "RequestsOpenAccess is missing"),
    (KEYBOARD, "com.apple.keyboard-service", "com.apple.widget-extension", "NSExtensionPointIdentifier is"),
    (KEYBOARD, ").KeyboardViewController", ").KeyboardController", "not a class of the keyboard"),
    (KEYBOARD, "$(PRODUCT_MODULE_NAME).", "", "not a class of the keyboard"),
    (KEYBOARD, "<key>NSExtension</key>", "<key>NSExtensions</key>", "NSExtensionPointIdentifier is missing"),
    (KEYBOARD, "</dict>\n</plist>", "</plist>", "no property list"),
    (APP, "$(CURRENT_PROJECT_VERSION)", "one", "CFBundleVersion is 'one'"),
    (APP, ").SceneDelegate", ").Delegate", "not one class of the app"),
    (ENTITLEMENTS, "group.dev.hushbit", "group.dev.other", "application-groups is"),
    (ENTITLEMENTS, "</array>", "</array><key>keychain-access-groups</key><array/>", "is not expected"),
    (CONTAINERS, '"group.', '"', "without group."),
    (MANIFEST, "<key>NSPrivacyTracking</key>\n  <false/>", "", "NSPrivacyTracking is missing"),
    (MANIFEST, "<key>NSPrivacyTracking</key>\n  <false/>", "<key>NSPrivacyTracking</key>\n  <true/>", "is True"),
    (MANIFEST, "<array/>\n</dict>", "<array><dict/></array>\n</dict>", "NSPrivacyAccessedAPITypes is"),
    (MANIFEST, "</dict>", "<key>NSPrivacyOther</key><true/></dict>", "NSPrivacyOther is not expected"),
    (PROJECT, "objectVersion = 77", "objectVersion = 56", "objectVersion is '56'"),
    (PROJECT, "product-type.app-extension", "product-type.app-extension.messages", "productType is"),
    (PROJECT, "dstSubfolderSpec = 13", "dstSubfolderSpec = 10", "does not build and embed"),
    (PROJECT, "\t\t\t\tD20000000000000000000001 /* PBXTargetDependency */,\n", "", "does not build and embed"),
    (PROJECT, "keyboard-sample.keyboard", "other-keyboard", "does not begin with"),
    (PROJECT, "relativePath = ../..", "relativePath = ..", "not the one at the root"),
    (PROJECT, "productName = Hushbit", "productName = KeyboardLogic", "does not depend on Hushbit"),
    (PROJECT, "B10000000000000000000002 /* Hushbit in Frameworks */,\n", "", "Keyboard does not depend on Hushbit"),
    (PROJECT, "INFOPLIST_FILE = Keyboard/Info.plist", "INFOPLIST_FILE = Info.plist", "INFOPLIST_FILE is"),
    (PROJECT, "path = Shared;", "path = Share;", "there is no Share"),
    (PROJECT, "\t\t\t\tE00000000000000000000003 /* Logic */,\n\t\t\t\tE0", "\t\t\t\tE0", "belongs to no target"),
    (PROJECT, "B10000000000000000000003 /* HushbitEnglish in Frameworks */,\n", "", "Hushbit and HushbitEnglish, or"),
    (PROJECT, "910000000000000000000003 /* HushbitEnglish */,\n", "", "on Hushbit and HushbitEnglish, or"),
    (PROJECT, "B30000000000000000000002 /* PrivacyInfo.xcprivacy in Resources */,\n", "", "resources of Keyboard are"),
    (PROJECT, "B30000000000000000000001 /* PrivacyInfo.xcprivacy in Resources */,\n", "", "resources of KeyboardS"),
    (PROJECT, "path = Settings.xcconfig;", "path = Set.xcconfig;", "Set.xcconfig"),
    (PROJECT, "\t\t\t\tInfo.plist,\n", "", "would have Info.plist as a resource"),
    (PROJECT, "\tKeyboardSample.entitlements,\n", "\tSample.entitlements,\n", "no Shared/Sample.entitlements"),
    (PROJECT, "fileRef = F20000000000000000000001", "fileRef = F20000000000000000000009", "which is nothing"),
    (PROJECT, "mainGroup = E20000000000000000000001", "mainGroup = E00000000000000000000003", "Synchronized"),
    (PROJECT, "productRefGroup", "productRefGroups", "is not known to name anything"),
    (PROJECT, "\t\t\t\tC10000000000000000000002 /* Sources */,\n", "", "nothing names C10000000000000000000002"),
    (PROJECT, "name = Keyboard;", "name = Keys;", "0 targets are called Keyboard"),
    (PROJECT, "classes = {", "classes = (", "line 5: a value is missing before }"),
    (PROJECT, "archiveVersion = 1;", "archiveVersion = 1", "line 4: classes where ; is expected"),
    (PROJECT, "archiveVersion = 1;", "objectVersion = 77;", "objectVersion is there twice"),
    (PROJECT, "path = App;", "path = Ä-pp;", "'-' is not expected"),
    (PROJECT, '"-Onone"', '"-Onone', "is not expected"),
    (SETTINGS, "Shared/KeyboardSample.entitlements", "Sample.entitlements", "CODE_SIGN_ENTITLEMENTS is"),
    (SETTINGS, "IPHONEOS_DEPLOYMENT_TARGET = 15.0", "IPHONEOS_DEPLOYMENT_TARGET = 13.0", "_TARGET is '13.0'"),
    (SETTINGS, "MARKETING_VERSION = 1.0", "", "MARKETING_VERSION is not set"),
    (SETTINGS, "SDKROOT = iphoneos", "SDKROOT", "sets nothing"),
    ("Package.swift", ".iOS(.v15)", ".iOS(.v16)", "IPHONEOS_DEPLOYMENT_TARGET is '15.0', not '16.0'"),
    ("Package.swift", '"src/text/unicode_tables.inc",', "", "text/unicode_tables.inc is not excluded"),
    ("Package.swift", '.copy("words/LICENSE-PDDL.txt")', "", "LICENSE-PDDL.txt is no resource of HushbitEnglish"),
    (KEYS, "= .keyboardKey", "= .button", "KeyboardView.swift does not call"),
    (FRAMEWORK, "        buildPhase: resources\n", "", "the resources are [], not PrivacyInfo.xcprivacy"),
    (FRAMEWORK, 'iOS: "15.0"', 'iOS: "13.0"', "iOS is '13.0'"),
    (FRAMEWORK, "targets:", "targets: [", "while parsing"),
    (FRAMEWORK, "type: framework", "type: framework.static", "type is 'framework.static'"),
    (FRAMEWORK, "[api/testing.cpp, ", "[", "seeded randomness"),
    (FRAMEWORK, "BUILD_LIBRARY_FOR_DISTRIBUTION: YES", "BUILD_LIBRARY_FOR_DISTRIBUTION: NO", "is False"),
    (FRAMEWORK, "native/module", "native/modules", "/native/modules"),
    (FRAMEWORK, "native/src\n        CLANG", "native/source\n        CLANG", "/native/source"),
]  # fmt: skip

WITH_REASON = {
    "ios/KeyboardSample/App/A.swift": "let on = UserDefaults.standard.bool(forKey: key)",
    "ios/KeyboardSample/Keyboard/A.swift": "for mode in UITextInputMode.activeInputModes {}",
    "ios/KeyboardSample/Logic/A.swift": "let size = try manager.attributesOfItem(atPath: path)",
    "ios/KeyboardSample/Shared/A.swift": "let values = try url.resourceValues(forKeys: [.creationDateKey])",
    "ios/Sources/Hushbit/A.swift": "let up = ProcessInfo.processInfo.systemUptime",
    "native/src/a.cpp": "  if (fstat(file, &status) != 0) return;",
    "native/src/a.h": "const auto now = mach_absolute_time();",
    "native/include/hushbit/a.h": "  statvfs (path, &space);",
}
WITHOUT_REASON = "let date = Date()\nlet state = status(of: file)\nlet mystat = my_stat(1)\nlet values = volumes\n"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The part of the repository that the check reads."""
    sources = ("ios/Sources", "ios/KeyboardSample", "ios/Framework", "native/src", "native/include", "native/module")
    for name in (*sources, "python/hushbit/data"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "Package.swift", tmp_path)
    return tmp_path


def test_nothing_is_wrong(copy: Path) -> None:
    assert list(check_ios.problems(copy)) == []


@pytest.mark.parametrize(("name", "right", "wrong", "found"), FAULTS)
def test_a_fault_is_found(copy: Path, name: str, right: str, wrong: str, found: str) -> None:
    text = (copy / name).read_text()
    assert right in text
    (copy / name).write_text(text.replace(right, wrong))
    problems = list(check_ios.problems(copy))
    assert any(found in problem for problem in problems), problems


@pytest.mark.parametrize(
    "name", [APP, KEYBOARD, ENTITLEMENTS, PROJECT, SETTINGS, FRAMEWORK, MANIFEST, check_ios.MANIFESTS[0]]
)
def test_a_missing_file_is_found(copy: Path, name: str) -> None:
    (copy / name).unlink()
    assert list(check_ios.problems(copy)) != []


@pytest.mark.parametrize(("name", "line"), WITH_REASON.items())
def test_an_api_that_wants_a_reason_is_found(copy: Path, name: str, line: str) -> None:
    (copy / name).write_text(WITHOUT_REASON)
    assert list(check_ios.problems(copy)) == []
    (copy / name).write_text(WITHOUT_REASON + line + "\n")
    (problem,) = check_ios.problems(copy)
    assert f"line 5 of {name} uses" in problem
