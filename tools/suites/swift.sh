# The suites of the Swift package. Swift comes from Debian 13, in a root that is made once. Source it after suites.sh,
# roots.sh and xcframework.sh.
# shellcheck shell=bash

SWIFT_ROOT=${HUSHBIT_SWIFT_ROOT:-$(root_path trixie-swift)}
SWIFT_BUILD=build/swift
DOCC=$SWIFT_BUILD/docc

# ---- Suites ----------------------------------------------------------------------------------------------------

# The package, the sample's logic and their tests in debug and release; a package that uses it; and what can be checked
# for iOS without Apple's SDK. See ios.sh for what needs no Swift.
suite_swift() {
  require_swift
  swift_tool test | tee "$SWIFT_BUILD/test.log"
  swift_tool test -c release -Xswiftc -enable-testing
  swift_tool run --package-path ios/consumer --scratch-path /scratch/consumer \
    consumer tests/vectors/words-64.hushbit "The men were" | tee "$SWIFT_BUILD/consumer.log"
  check_three_words "$SWIFT_BUILD/consumer.log"
  swift_tool run --package-path ios/consumer --scratch-path /scratch/consumer \
    consumer "The men were" | tee "$SWIFT_BUILD/english.log"
  check_three_words "$SWIFT_BUILD/english.log"
  # shellcheck disable=SC2016  # the inner shell expands it
  in_swift_root bash -ec '
    for file in ios/Sources/*/*.swift ios/KeyboardSample/*/*.swift; do
      swiftc -frontend -parse -target arm64-apple-ios15 "$file"
    done'
  check_tag
  check_docc
  check_strictly
  check_interface
  check_manifest
  counted "$(sed -nE 's/.*Executed ([0-9]+) tests, with 0 failures.*/\1/p' "$SWIFT_BUILD/test.log" | tail -n 1)" tests
}

# ---- What they share -------------------------------------------------------------------------------------------

# check_three_words LOG: ios/consumer released as many words as it was given.
check_three_words() { grep -qE '^3 words: [^ ]+ [^ ]+ [^ ]+$' "$1" || die "three words did not come out as three: $1"; }

# check_tag: a package that names a version gets it from a git repository with that tag, as from a server: what is
# committed suffices, and nothing in the manifest is barred from dependencies. A version that no tag has is refused.
check_tag() {
  local version
  version=$(tools/release/version)
  in_swift_root rm -rf /scratch/tagged
  mkdir -p "$SWIFT_BUILD/tagged"
  git archive --format=tar --output "$SWIFT_BUILD/tagged/tree.tar" HEAD
  # shellcheck disable=SC2016  # the inner shell expands these
  in_swift_root bash -ec '
    version=$1 dependency="url: \"file:///scratch/tagged/Hushbit\", from: \"$1\""
    cd /scratch/tagged
    mkdir Hushbit
    tar -xf tree.tar -C Hushbit
    git init --quiet Hushbit
    git -C Hushbit add --force --all
    git -C Hushbit -c user.name=Hushbit -c user.email=none commit --quiet --message "Hushbit $version"
    git -C Hushbit tag "$version"
    cp -R Hushbit/ios/consumer .
    sed -i "s|name: \"Hushbit\", path: \"../..\"|$dependency|" consumer/Package.swift
    grep -F "$dependency" consumer/Package.swift' bash "$version"
  swift_consumer run consumer /source/tests/vectors/words-64.hushbit "The men were" | tee "$SWIFT_BUILD/tagged.log"
  check_three_words "$SWIFT_BUILD/tagged.log"
  in_swift_root grep -F "\"version\" : \"$version\"" /scratch/tagged/consumer/Package.resolved
  in_swift_root sed -i "s|from: \"$version\"|from: \"999.0.0\"|" /scratch/tagged/consumer/Package.swift
  if swift_consumer package resolve; then die "a version that no tag has was resolved"; fi
  in_swift_root rm -rf /scratch/tagged
}

# swift_consumer COMMAND...: Swift Package Manager on the package of check_tag. It keeps nothing elsewhere: it refuses a
# tag that named another commit in an earlier run.
swift_consumer() {
  in_swift_root swift "$1" --package-path /scratch/tagged/consumer --scratch-path /scratch/tagged/build \
    --cache-path /scratch/tagged/cache --security-path /scratch/tagged/security --disable-sandbox "${@:2}"
}

# check_strictly: the library and the sample as for iOS, against stubs of UIKit, in Swift 6, where races are errors, and
# any warning too. Down to SIL, for some of it is found only there.
check_strictly() {
  # shellcheck disable=SC2016  # the inner shell expands these
  in_swift_root bash -ec '
    flags="-swift-version 6 -warnings-as-errors -module-cache-path /scratch/modules -I native/module -I ios/stubs"
    flags+=" -parse-as-library -wmo -emit-sil -o /scratch/strict/sil"  # never /dev/null: swiftc replaces its output
    mkdir -p /scratch/strict
    swiftc $flags -emit-module-path /scratch/strict/Hushbit.swiftmodule -module-name Hushbit ios/Sources/Hushbit/*.swift
    swiftc $flags -I /scratch/strict -emit-module-path /scratch/strict/HushbitEnglish.swiftmodule \
      -module-name HushbitEnglish ios/Sources/HushbitEnglish/*.swift ios/stubs/BundleModule.swift
    for target in Keyboard App; do
      swiftc $flags -I /scratch/strict -module-name "$target" ios/KeyboardSample/{Logic,Shared,"$target"}/*.swift
    done'
}

# check_docc: DocC takes the comments as they are, and the table of the site has every name that the compiler sees.
check_docc() {
  locked swift make_docc
  python tools/suites/check_docc.py "$DOCC"
}

# make_docc: what the compiler knows of the public names, in $DOCC/symbols, and the pages of DocC, in $DOCC/site.
# A warning is an error, such as a link in a comment to a name that does not exist.
make_docc() {
  # shellcheck disable=SC2016  # the inner shell expands these
  in_swift_root bash -ec '
    rm -rf /scratch/docc
    mkdir -p /scratch/docc/symbols
    flags="-module-cache-path /scratch/modules -I native/module -parse-as-library -wmo -emit-module"
    flags+=" -emit-symbol-graph -emit-symbol-graph-dir /scratch/docc/symbols"
    swiftc $flags -emit-module-path /scratch/docc/Hushbit.swiftmodule -module-name Hushbit ios/Sources/Hushbit/*.swift
    swiftc $flags -I /scratch/docc -emit-module-path /scratch/docc/HushbitEnglish.swiftmodule \
      -module-name HushbitEnglish ios/Sources/HushbitEnglish/*.swift ios/stubs/BundleModule.swift
    cd /usr/libexec/swift
    DOCC_HTML_DIR=$PWD/share/docc/render bin/docc convert --additional-symbol-graph-dir /scratch/docc/symbols \
      --fallback-display-name Hushbit --fallback-bundle-identifier dev.hushbit.Hushbit --warnings-as-errors \
      --transform-for-static-hosting --hosting-base-path BASE --output-path /scratch/docc/site'
}

# check_interface: what an app sees of the XCFramework, which has the module and not the core's, suffices.
check_interface() {
  rm -rf "$SWIFT_BUILD/interface"
  mkdir -p "$SWIFT_BUILD/interface"
  in_swift_root swiftc -suppress-warnings -emit-module -enable-library-evolution -module-name Hushbit \
    -module-cache-path /scratch/modules -I native/module -o /scratch/interface/Hushbit.swiftmodule \
    -emit-module-interface-path /scratch/interface/Hushbit.swiftinterface ios/Sources/Hushbit/*.swift
  hide_core "$SWIFT_BUILD/interface"
  in_swift_root swiftc -typecheck -module-cache-path /scratch/modules -I /scratch/interface \
    ios/consumer/Sources/consumer/main.swift
}

# check_manifest: Swift Package Manager reads the manifest of the binary as it is meant.
check_manifest() {
  local url='https://example.com/Hushbit.xcframework.zip?a=1&b=2' checksum
  checksum=$(printf '%064d' 7)
  mkdir -p "$SWIFT_BUILD/binary"
  write_manifest 1.2.3 "$url" "$checksum" >"$SWIFT_BUILD/binary/Package.swift"
  in_swift_root swift package --package-path /scratch/binary dump-package >"$SWIFT_BUILD/binary/read.json"
  python - "$SWIFT_BUILD/binary/read.json" "$url" "$checksum" <<'PYTHON'
import json
import sys

path, url, checksum = sys.argv[1:]
with open(path) as file:
    package = json.load(file)
(target,) = package["targets"]
(product,) = package["products"]
assert (target["type"], target["url"], target["checksum"]) == ("binary", url, checksum), target
assert (product["name"], product["targets"]) == ("Hushbit", [target["name"]]), product
PYTHON
}

# Swift and its root, made if missing: about 3 minutes and 3 GB.
require_swift() {
  mkdir -p "$SWIFT_BUILD"
  require_root_rights
  [ -x "$SWIFT_ROOT/usr/bin/git" ] || make_root trixie "$SWIFT_ROOT" swiftlang,g++,git ||
    unavailable "Swift: a Debian 13 root made by mmdebstrap"
  in_swift_root swift --version
}

in_swift_root() { in_root "$SWIFT_ROOT" "$SWIFT_BUILD" "$@"; }

# swift_tool COMMAND [OPTION]...: swift build, test or run.
swift_tool() {
  in_swift_root swift "$1" --scratch-path /scratch/build --cache-path /scratch/cache --disable-sandbox -j 2 "${@:2}"
}
