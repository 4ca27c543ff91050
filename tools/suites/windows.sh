# The suite of Windows: cross-compiled by zig, run by wine. Source it after native.sh and zig.sh.
# shellcheck shell=bash

WINDOWS=build/windows
WINE=/usr/lib/wine  # where Debian has wine64, which is not on the path

# The core's tests and golden vectors as programs of Windows, and a C program that uses the core as a DLL.
suite_windows() {
  require_zig
  [ -x "$WINE/wine64" ] || install_system_packages wine64 || unavailable "wine: apt-get install wine64"
  with_zig_cache build_native "$WINDOWS" native/tests/all "-DZIG=$PWD/$ZIG_DIR/python/ziglang/zig" \
    "-DCMAKE_TOOLCHAIN_FILE=$PWD/native/toolchains/windows-x86_64.cmake"
  use_wine
  run_ctest "$WINDOWS"
  check_dll
}

# A Windows of its own for this tree, without a desktop. Its server stays for a minute after the last program: starting
# it takes longer than most tests.
use_wine() {
  export WINEPREFIX=$PWD/$WINDOWS/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree=;mshtml=' LC_ALL=C.UTF-8
  mkdir -p "$WINEPREFIX"
  "$WINE/wineserver64" --persistent=60
  "$WINE/wine64" wineboot --update
}

# It exports what the header declares, and works from C.
check_dll() {
  local programs=$WINDOWS/native/tests
  python native/tests/check_symbols.py "$programs/hushbit.dll" native/include/hushbit/hushbit.h
  check_consumer "$WINE/wine64" "$programs/consumer.exe"
}
