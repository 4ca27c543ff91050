"""tools/phones/build_xcframework against an xcodebuild and an XcodeGen that record how they are called."""

import hashlib
import os
import shutil
import stat
import subprocess
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
MANIFEST = "ios/Sources/Hushbit/PrivacyInfo.xcprivacy"
INTERFACE = "// swift-interface-format-version: 1.0\nimport CHushbit\nimport Foundation\npublic enum Mechanism {}\n"

FAKE = r"""#!/usr/bin/env bash
set -eu
printf '%s' "$(basename "$0")" >>"$CALLS"
printf '\t%s' "$@" >>"$CALLS"
printf '\n' >>"$CALLS"
after() { local flag=$1; shift; while [ "$1" != "$flag" ]; do shift; done; printf '%s' "$2"; }
case "$(basename "$0") $1" in
  "xcodebuild -version") echo "Xcode 16.0"; [ -z "${NO_XCODE:-}" ] ;;
  "xcodebuild archive")
    [ -z "${FAIL:-}" ] || [ "$FAIL" != "$(after -destination "$@")" ] || exit 65
    framework=$(after -archivePath "$@")/Products/Library/Frameworks/Hushbit.framework
    mkdir -p "$framework/Modules/Hushbit.swiftmodule"
    echo library >"$framework/Hushbit"
    [ -n "${NO_MANIFEST:-}" ] || cp "$MANIFEST" "$framework"
    [ -n "${NO_INTERFACE:-}" ] || printf '%s' "$INTERFACE" >"$framework/Modules/Hushbit.swiftmodule/a.swiftinterface"
    echo compiled >"$framework/Modules/Hushbit.swiftmodule/a.swiftmodule"
    ;;
  "xcodebuild -create-xcframework")
    mkdir -p "$7/ios-arm64" "$7/${SIMULATOR:-ios-arm64_x86_64-simulator}"
    [ "$2 $4 $6" = "-framework -framework -output" ]
    cp -R "$3" "$7/ios-arm64"
    cp -R "$5" "$7/${SIMULATOR:-ios-arm64_x86_64-simulator}"
    ;;
esac
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The part of the repository that the script reads, and the fakes in bin/."""
    for name in ("tools/lib.sh", "tools/phones/xcframework.sh", "tools/phones/build_xcframework",
                 "tools/release/version",
                 "ios/Framework/Package.swift.in", "ios/Framework/project.yml",
                 "native/include/hushbit/hushbit.h", MANIFEST):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tmp_path / name)
    (tmp_path / "bin").mkdir()
    for name in ("xcodebuild", "xcodegen"):
        fake = tmp_path / "bin" / name
        fake.write_text(FAKE)
        fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    return tmp_path


def build(copy: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {
        "PATH": f"{copy / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin",
        "CALLS": str(copy / "calls"),
        "MANIFEST": str(copy / MANIFEST),
        "INTERFACE": INTERFACE,
    }
    command = [str(copy / "tools/phones/build_xcframework"), *arguments]
    return subprocess.run(command, env=environment | settings, capture_output=True, text=True, check=False)


def archive_call(name: str, destination: str, version: str) -> list[str]:
    return [
        "xcodebuild", "archive", "-quiet", "-project", "ios/Framework/HushbitFramework.xcodeproj", "-scheme", "Hushbit",
        "-configuration", "Release", "-destination", f"generic/platform={destination}",
        "-archivePath", f"build/xcframework/{name}.xcarchive", "-derivedDataPath", "build/xcframework/derived",
        f"MARKETING_VERSION={version}", "CODE_SIGNING_ALLOWED=NO",
    ]  # fmt: skip


def test_it_calls_xcode_as_it_should(copy: Path) -> None:
    done = build(copy)
    assert done.returncode == 0, done.stderr
    calls = [line.split("\t") for line in (copy / "calls").read_text().splitlines()]
    header = (ROOT / "native/include/hushbit/hushbit.h").read_text()
    version = header.split('#define HUSHBIT_VERSION "')[1].split('"')[0]
    framework = "build/xcframework/{}.xcarchive/Products/Library/Frameworks/Hushbit.framework"
    assert calls == [
        ["xcodebuild", "-version"],
        ["xcodegen", "generate", "--quiet", "--spec", "ios/Framework/project.yml"],
        archive_call("device", "iOS", version),
        archive_call("simulator", "iOS Simulator", version),
        ["xcodebuild", "-create-xcframework", "-framework", framework.format("device"),
         "-framework", framework.format("simulator"), "-output", "build/xcframework/Hushbit.xcframework"],
    ]  # fmt: skip


def test_the_zip_has_what_it_should_and_its_checksum_is_said(copy: Path) -> None:
    done = build(copy)
    path = copy / "build/xcframework/Hushbit.xcframework.zip"
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    assert checksum in done.stderr
    assert path.with_name(path.name + ".sha256").read_text() == checksum + "\n"
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        interfaces = [archive.read(name).decode() for name in names if name.endswith(".swiftinterface")]
    slices = ("ios-arm64", "ios-arm64_x86_64-simulator")
    files = ("Hushbit", "Modules/Hushbit.swiftmodule/a.swiftinterface", "PrivacyInfo.xcprivacy")
    assert sorted(names) == sorted(f"Hushbit.xcframework/{s}/Hushbit.framework/{f}" for s in slices for f in files)
    assert interfaces == [INTERFACE.replace("import CHushbit\n", "")] * 2


def test_a_package_with_the_binary_is_written_for_an_address(copy: Path) -> None:
    url = "https://example.com/releases/Hushbit.xcframework.zip?a=1&b=2"
    done = build(copy, "--url", url)
    assert done.returncode == 0, done.stderr
    package = (copy / "build/xcframework/Package.swift").read_text()
    checksum = (copy / "build/xcframework/Hushbit.xcframework.zip.sha256").read_text().strip()
    assert package.startswith("// swift-tools-version:5.9\n")
    assert f'url: "{url}"' in package
    assert f'checksum: "{checksum}"' in package
    assert "@" not in package
    assert build(copy, "--url", "http://example.com/a.zip").returncode == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"NO_XCODE": "1"}, "install Xcode"),
        ({"NO_MANIFEST": "1"}, "has not the privacy manifest"),
        ({"NO_INTERFACE": "1"}, "has no .swiftinterface"),
        ({"INTERFACE": INTERFACE + "public func f(_: CHushbit.hushbit_cost)\n"}, "names the core's module"),
        ({"SIMULATOR": "ios-arm64-maccatalyst"}, "has no slice ios-*-simulator"),
        ({"FAIL": "generic/platform=iOS Simulator"}, "Building for iOS Simulator"),
    ],
)
def test_failures_are_said_and_leave_no_zip(copy: Path, settings: dict[str, str], message: str) -> None:
    assert build(copy).returncode == 0
    done = build(copy, **settings)
    assert done.returncode != 0
    assert message in done.stderr
    if "NO_XCODE" not in settings:  # which ends before anything is touched
        assert not (copy / "build/xcframework/Hushbit.xcframework.zip").exists()


@pytest.mark.parametrize(("tool", "message"), [("xcodebuild", "a Mac with Xcode"), ("xcodegen", "brew install")])
def test_a_missing_tool_is_named(copy: Path, tool: str, message: str) -> None:
    if shutil.which(tool, path="/usr/bin:/bin"):
        pytest.skip(f"the system has {tool}")
    (copy / "bin" / tool).unlink()
    done = build(copy)
    assert done.returncode == 1
    assert message in done.stderr


def test_arguments_are_refused(copy: Path) -> None:
    done = build(copy, "--help-me")
    assert (done.returncode, "usage" in done.stderr) == (1, True)
    assert not (copy / "calls").exists()
