# Zig, which has clang, the C headers of Apple's systems and Windows, and stubs of their libraries, under licenses that
# let it. Source it after suites.sh.
# shellcheck shell=bash

ZIG_DIR=build/zig
ZIG_VERSION=0.16.0

require_zig() { locked zig once "$ZIG_DIR/stamp" "$ZIG_VERSION" install_zig; }

install_zig() {
  rm -rf "$ZIG_DIR/python"
  pip install --quiet --no-deps --target "$ZIG_DIR/python" "ziglang==$ZIG_VERSION" ||
    unavailable "the Python package ziglang"
}

# zig COMMAND [OPTION]...: its library for each system is compiled once and kept.
zig() { with_zig_cache "$ZIG_DIR/python/ziglang/zig" "$@"; }

with_zig_cache() { ZIG_GLOBAL_CACHE_DIR=$PWD/$ZIG_DIR/cache ZIG_LOCAL_CACHE_DIR=$PWD/$ZIG_DIR/cache "$@"; }
