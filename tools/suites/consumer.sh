# The core as others take it: a part of suite native, and package managers. Source it after native.sh.
# shellcheck shell=bash

CONSUMER=build/consumer
CONSUMER_SOURCES=native/tests/consumer

# Their builds are as deep as the core's own, and have its warnings, so that the compiler's cache knows its files.
check_consumers() {
  rm -rf "$CONSUMER" build/subproject build/fetched build/shared
  mkdir -p "$CONSUMER"
  check_installed static build/release
  check_page_in_cpp "$CONSUMER/static"
  check_subproject
  check_fetched
  cmake -S . -B build/shared -G Ninja -DCMAKE_BUILD_TYPE=Release -DHUSHBIT_WARNINGS=ON -DBUILD_SHARED_LIBS=ON
  cmake --build build/shared
  check_symbols build/shared/libhushbit_core.so
  check_installed shared build/shared
}

# check_installed NAME BUILD: what is installed, found by find_package and by pkg-config, and linked from plain C.
check_installed() {
  local prefix=$PWD/$CONSUMER/$1 flags=()
  cmake --install "$2" --prefix "$CONSUMER/first"
  mv "$CONSUMER/first" "$prefix"  # it may be moved
  cmake -S "$CONSUMER_SOURCES" -B "$CONSUMER/find-$1" -G Ninja "-DCMAKE_PREFIX_PATH=$prefix"
  cmake --build "$CONSUMER/find-$1"
  check_consumer "$CONSUMER/find-$1/consumer"
  require_command pkg-config pkg-config
  read -ra flags < <(PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name hushbit.pc)") pkg-config --cflags --libs hushbit)
  cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$CONSUMER_SOURCES/main.c" "${flags[@]}" "-Wl,-rpath,$prefix/lib" \
    -o "$CONSUMER/pkg-$1"
  check_consumer "$CONSUMER/pkg-$1"
}

# check_page_in_cpp PREFIX: the example of docs/c.md for C++ is valid to the letter, and works.
check_page_in_cpp() {
  # shellcheck disable=SC2016  # the marks of the page
  sed -n '/^```cpp$/,/^```$/p' docs/c.md | grep -v '^```' >"$CONSUMER/example.cpp"
  c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror "-I$1/include" "$CONSUMER/example.cpp" \
    "$1"/lib*/libhushbit_core.a -lm -o "$CONSUMER/example"
  "$CONSUMER/example" tests/vectors/words-64.hushbit "The cat sat"
}

# By add_subdirectory: seeded randomness is not there, the project installs its own program alone, and a library of its
# own that holds the core exports its own function alone.
check_subproject() {
  local exports
  cmake -S "$CONSUMER_SOURCES/subproject" -B build/subproject -G Ninja "-DHUSHBIT=$PWD" -DHUSHBIT_WARNINGS=ON \
    -DCMAKE_BUILD_TYPE=Release -DEXPECTED_BUILD_TYPE=Release
  cmake --build build/subproject
  check_consumer build/subproject/consumer
  exports=$(nm -D --defined-only --format=posix build/subproject/libplugin.so | cut -d ' ' -f 1)
  [ "$exports" = plugin_version ] || die "a library that holds the core exports $exports"
  cmake --install build/subproject --prefix "$CONSUMER/subproject"
  [ "$(cd "$CONSUMER/subproject" && find . -type f)" = ./bin/consumer ] || die "Hushbit installs itself, unasked"
}

# By FetchContent, with seeded randomness and Hushbit's own installation, both on demand.
check_fetched() {
  cmake -S "$CONSUMER_SOURCES/subproject" -B build/fetched -G Ninja "-DHUSHBIT=$PWD" -DFETCH=ON -DHUSHBIT_TESTING=ON \
    -DHUSHBIT_INSTALL=ON
  grep -qF hushbit-config.cmake build/fetched/_deps/hushbit-build/cmake_install.cmake
  cmake --build build/fetched --target help | grep -q hushbit_testing
}

# ---- Package managers --------------------------------------------------------------------------------------------

PORTS=build/ports

# The recipe of Conan and the port of vcpkg, static and shared.
suite_ports() {
  local conan=$PWD/$PORTS/environment/bin/conan kind
  once "$PORTS/conan.stamp" conan-2.34.0 install_conan
  export CONAN_HOME=$PWD/$PORTS/conan
  rm -rf "$CONAN_HOME"
  "$conan" profile detect
  for kind in shared=False shared=True testing=True; do
    "$conan" create packaging/conan --no-remote -o "hushbit/*:$kind" \
      -c "tools.cmake.cmake_layout:test_folder=$PWD/$PORTS/test" -c tools.cmake.cmaketoolchain:generator=Ninja
  done
  grep -qF "\"version\": \"$(tools/release/version)\"" packaging/vcpkg/hushbit/vcpkg.json ||
    die "packaging/vcpkg/hushbit/vcpkg.json has another version"
  check_port OFF
  check_port ON
  counted "Conan and the port of vcpkg"
}

install_conan() {
  "$PYTHON" -m venv --clear "$PORTS/environment"
  "$PORTS/environment/bin/pip" install --quiet conan==2.34.0 || unavailable "the Python package conan"
}

# check_port SHARED: its files lie where vcpkg wants them, and a program links them.
check_port() {
  local packages=$PORTS/packages-$1 files
  rm -rf "$packages" "$PORTS/port-$1" "$PORTS/find-$1"
  cmake -DPORT=hushbit "-DPORT_DIR=$PWD/packaging/vcpkg/hushbit" "-DCURRENT_PACKAGES_DIR=$PWD/$packages" \
    "-DBUILD=$PWD/$PORTS/port-$1" "-DSHARED=$1" -P "$CONSUMER_SOURCES/vcpkg.cmake"
  files=$(cd "$packages" && find . -mindepth 1 -maxdepth 2 -type d | sort | tr '\n' ' ')
  [ "$files" = "./include ./include/hushbit ./lib ./lib/pkgconfig ./share ./share/hushbit " ] ||
    die "the port makes the folders $files"
  [ -s "$packages/share/hushbit/copyright" ] || die "the port has no copyright"
  cmake -S "$CONSUMER_SOURCES" -B "$PORTS/find-$1" -G Ninja "-DCMAKE_PREFIX_PATH=$PWD/$packages"
  cmake --build "$PORTS/find-$1"
  check_consumer "$PORTS/find-$1/consumer"
}
