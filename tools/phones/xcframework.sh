# What tools/phones/build_xcframework does with a framework that was built. It stands apart so that the tests of Swift
# can run it.
# shellcheck shell=bash

# hide_core MODULES: makes the Swift module in a directory readable without CHushbit, the core's module, which the
# framework does not hold. Its interface names no type of C, so the import is all that leads there; the compiled form,
# which compilers would prefer, leads there too.
hide_core() {
  local interface found=
  find "$1" -name '*.swiftmodule' -type f -delete
  while IFS= read -r -d '' interface; do
    found=yes
    sed '/^import CHushbit$/d' "$interface" >"$interface.new"
    mv "$interface.new" "$interface"
    if grep -n CHushbit "$interface"; then die "$interface names the core's module; no public Swift may"; fi
  done < <(find "$1" -name '*.swiftinterface' -print0)
  [ -n "$found" ] || die "$1 has no .swiftinterface: was it built for distribution?"
}

# check_slices XCFRAMEWORK: a device's and a simulator's, each with the privacy manifest and a readable module.
check_slices() {
  local slice kind
  for kind in 'ios-arm64' 'ios-*-simulator'; do
    slice=$(find "$1" -maxdepth 1 -name "$kind")
    [ -n "$slice" ] || die "$1 has no slice $kind"
    slice=$slice/Hushbit.framework
    [ -e "$slice/Hushbit" ] || die "$slice has no library"
    cmp -s "$slice/PrivacyInfo.xcprivacy" ios/Sources/Hushbit/PrivacyInfo.xcprivacy ||
      die "$slice has not the privacy manifest of ios/Sources/Hushbit"
    [ -n "$(find "$slice/Modules" -name '*.swiftinterface')" ] || die "$slice has no .swiftinterface"
  done
}

# write_manifest VERSION URL CHECKSUM: the Package.swift of a package that is the zip file at an address.
write_manifest() {
  local url=${2//\\/\\\\}
  url=${url//&/\\&}
  sed "s|@VERSION@|$1|; s|@URL@|${url//|/%7C}|; s|@CHECKSUM@|$3|" ios/Framework/Package.swift.in
}
