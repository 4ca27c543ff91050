# The suites of iOS that need no Swift. Source it after suites.sh and zig.sh.
# shellcheck shell=bash

APPLE=build/apple

# What Xcode reads beside sources, and the script that builds the XCFramework.
suite_ios() {
  have zip || install_system_packages zip || unavailable "zip: apt-get install zip"
  python tools/phones/check_ios.py
  mkdir -p "$APPLE"
  python -m pytest -q ios/Tests/project | tee "$APPLE/pytest.log"
  counted "$(tail -n 1 "$APPLE/pytest.log" | sed -E 's/ in [0-9.]+s.*//; s/=//g')"
}

# The core for Apple's systems.
suite_apple() {
  require_zig
  compile_core aarch64-ios "$APPLE/ios"
  compile_core aarch64-macos "$APPLE/macos"
  link_for_macos "$APPLE/macos"
  counted core for aarch64-ios and -macos
}

# compile_core TARGET DIR: the core's objects.
compile_core() {
  rm -rf "$2"
  mkdir -p "$2"
  export -f zig with_zig_cache compile_file
  export ZIG_DIR
  find native/src -name '*.cpp' ! -name testing.cpp -print0 |
    xargs -0 -n 1 -P 2 bash -c 'compile_file "$@"' compile_core "$1" "$2"
}

compile_file() {  # TARGET DIR SOURCE
  zig c++ -target "$1" -isystem "$ZIG_DIR/python/ziglang/lib/libc/include/any-darwin-any" -std=c++20 -fno-exceptions \
    -fno-rtti -fno-sanitize=undefined -Wall -Wextra -Werror -Inative/include -Inative/src \
    -c "$3" -o "$2/$(basename "$3" .cpp).o"
}

# link_for_macos DIR: a program of plain C with the core's objects, and without a C++ runtime.
link_for_macos() {
  zig cc -target aarch64-macos -Inative/include native/tests/consumer/main.c "$1"/*.o -o "$1/consumer"
  [ "$(head -c 4 "$1/consumer" | od -An -tx1 | tr -d ' ')" = cffaedfe ] || die "no Mach-O program of 64 bits"
}
