"""tools/phones/check_ios.py finds each fault that is planted in a copy of what it reads, and nothing without one."""

import importlib.util
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SPEC = importlib.util.spec_from_file_location("check_ios", ROOT / "tools/phones/check_ios.py")
assert SPEC is not None
assert SPEC.loader is not None
check_ios = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(check_ios)

APP = "ios/KeyboardSample/App/Info.plist"
KEYBOARD = "ios/KeyboardSample/Keyboard/Info.plist"
ENTITLEMENTS = "ios/KeyboardSample/Shared/KeyboardSample.entitlements"
CONTAINERS = "ios/KeyboardSample/Shared/Containers.swift"
SAMPLE = "ios/KeyboardSample/project.yml"
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
    (SAMPLE, "type: app-extension", "type: app-extension.messages", "type is 'app-extension.messages'"),
    (SAMPLE, "      - target: Keyboard\n", "", "does not embed"),
    (SAMPLE, "keyboard-sample.keyboard", "other-keyboard", "does not begin with"),
    (SAMPLE, "path: ../..", "path: ..", "there is no package"),
    (SAMPLE, "INFOPLIST_FILE: Keyboard/Info.plist", "INFOPLIST_FILE: Info.plist", "INFOPLIST_FILE names no"),
    (SAMPLE, "Shared/KeyboardSample.entitlements", "Sample.entitlements", "CODE_SIGN_ENTITLEMENTS names no"),
    (SAMPLE, "- Shared", "- Share", "there is no Share"),
    (SAMPLE, "      - App\n", "", "belongs to no target"),
    (SAMPLE, "english.hushbit\n        buildPhase: resources", "english.hushbit", "no english.hushbit among"),
    (SAMPLE, "xcprivacy\n        buildPhase: resources", "xcprivacy", "no PrivacyInfo.xcprivacy among its resources"),
    (FRAMEWORK, "        buildPhase: resources\n", "", "no PrivacyInfo.xcprivacy among its resources"),
    (SAMPLE, 'iOS: "15.0"', 'iOS: "13.0"', "iOS is '13.0'"),
    (SAMPLE, "targets:", "targets: [", "while parsing"),
    (FRAMEWORK, "[api/testing.cpp, ", "[", "seeded randomness"),
    (FRAMEWORK, "BUILD_LIBRARY_FOR_DISTRIBUTION: YES", "BUILD_LIBRARY_FOR_DISTRIBUTION: NO", "is False"),
    (FRAMEWORK, "native/module", "native/modules", "SWIFT_INCLUDE_PATHS names no"),
    (FRAMEWORK, "native/src\n        CLANG", "native/source\n        CLANG", "HEADER_SEARCH_PATHS names no"),
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


@pytest.mark.parametrize("name", [APP, KEYBOARD, ENTITLEMENTS, SAMPLE, FRAMEWORK, MANIFEST, check_ios.MANIFESTS[0]])
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
