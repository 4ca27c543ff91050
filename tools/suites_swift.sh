# The suites of the Swift package. Swift comes from Debian 13, in a directory that is made once and entered by chroot.
# Source it after suites.sh.
# shellcheck shell=bash

SWIFT_ROOT=${HUSHBIT_SWIFT_ROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/hushbit/trixie-swift}
SWIFT_BUILD=build/swift

# ---- Suites ----------------------------------------------------------------------------------------------------

# The package and its tests in debug, the library in release and as Swift 6, a package that uses it, and what can be
# checked for iOS without Apple's SDK.
suite_swift() {
  check_privacy
  require_swift
  swift_tool test | tee "$SWIFT_BUILD/test.log"
  swift_tool test -c release -Xswiftc -enable-testing
  swift_tool build --target KeyboardLogic --scratch-path /scratch/six -Xswiftc -swift-version -Xswiftc 6 \
    -Xswiftc -warnings-as-errors
  swift_tool run --package-path ios/consumer --scratch-path /scratch/consumer \
    consumer tests/vectors/words-64.hushbit "The men were" | tee "$SWIFT_BUILD/consumer.log"
  grep -qE '^3 words: [^ ]+ [^ ]+ [^ ]+$' "$SWIFT_BUILD/consumer.log"
  # shellcheck disable=SC2016  # the inner shell expands it
  in_swift_root bash -ec '
    for file in ios/Sources/*/*.swift; do swiftc -frontend -parse -target arm64-apple-ios15 "$file"; done'
  counted "$(sed -nE 's/.*Executed ([0-9]+) tests, with 0 failures.*/\1/p' "$SWIFT_BUILD/test.log" | tail -n 1)" tests
}

# ---- What they share -------------------------------------------------------------------------------------------

# The manifest says that no API is used that wants a reason, so none may be.
check_privacy() {
  local functions='f?stat|lstat|fstatat|f?statv?fs|f?getattrlist(at|bulk)?|mach_absolute_time'
  local names='systemUptime|(creation|modification|contentModification|fileCreation|fileModification)Date'
  names+='|attributesOfItem|UserDefaults|activeInputModes|volumeAvailableCapacity|systemFreeSize|systemSize'
  if grep -rnE "\b(($functions) *\(|$names)" native/src native/include ios/Sources; then
    die "an API that Apple wants a reason for"
  fi
  python - <<'PYTHON'
import plistlib

with open("ios/Sources/Hushbit/PrivacyInfo.xcprivacy", "rb") as file:
    manifest = plistlib.load(file)
kinds = {"Tracking": bool, "TrackingDomains": list, "CollectedDataTypes": list, "AccessedAPITypes": list}
assert set(manifest) == {f"NSPrivacy{kind}" for kind in kinds}, manifest.keys()
assert all(value == kinds[key.removeprefix("NSPrivacy")]() for key, value in manifest.items()), manifest
PYTHON
}

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi; }

# Swift and its root, made if missing: about 3 minutes and 3 GB.
require_swift() {
  mkdir -p "$SWIFT_BUILD"
  as_root unshare --mount true || unavailable "root, to mount and chroot for Swift"
  [ -d "$SWIFT_ROOT" ] || make_swift_root || unavailable "Swift: a Debian 13 root made by mmdebstrap"
  in_swift_root swift --version
}

make_swift_root() {
  have mmdebstrap || install_system_packages mmdebstrap || return 1
  mkdir -p "$(dirname "$SWIFT_ROOT")"
  as_root rm -rf --one-file-system "$SWIFT_ROOT.partial"
  as_root unshare --mount --propagation private mmdebstrap --quiet --variant=apt --include=swiftlang,g++ \
    --aptopt='APT::Install-Recommends "false"' trixie "$SWIFT_ROOT.partial" &&
    as_root mv "$SWIFT_ROOT.partial" "$SWIFT_ROOT"
}

# in_swift_root COMMAND...: in the repository, which is read-only there, as /source; what it writes goes to /scratch.
in_swift_root() {
  # shellcheck disable=SC2016  # the inner shell expands these
  as_root unshare --mount --propagation private bash -ec '
    root=$1 source=$2 scratch=$3
    shift 3
    mkdir -p "$root/source" "$root/scratch"
    mount --bind "$source" "$root/source"
    mount -o remount,bind,ro "$root/source"
    mount --bind "$scratch" "$root/scratch"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    exec chroot "$root" env -i PATH=/usr/bin:/bin HOME=/scratch/home LANG=C.UTF-8 \
      bash -ec "cd /source; exec \"\$@\"" bash "$@"
  ' bash "$SWIFT_ROOT" "$PWD" "$PWD/$SWIFT_BUILD" "$@"
}

# swift_tool COMMAND [OPTION]...: swift build, test or run.
swift_tool() {
  in_swift_root swift "$1" --scratch-path /scratch/build --cache-path /scratch/cache --disable-sandbox -j 2 "${@:2}"
}
