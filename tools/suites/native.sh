# The suites of the core, and how it is built for others. Source it after suites.sh and set FULL.
# shellcheck shell=bash

FUZZ_SECONDS=5  # a target

# ---- Suites ----------------------------------------------------------------------------------------------------

# The core's tests; its symbols; and the core as others take it (consumer.sh).
suite_native() {
  build_native build/release all
  run_ctest build/release
  check_symbols build/release/libhushbit_core.a
  check_consumers
}

suite_sanitized() {
  build_native build/sanitized all -DHUSHBIT_SANITIZE=address,undefined -DCMAKE_CXX_FLAGS_RELEASE=-O1
  ASAN_OPTIONS=detect_stack_use_after_return=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
    run_ctest build/sanitized
}

# The test of wiped memory, at every level of optimization.
suite_wipe() {
  build_native build/release "wipe_test wipe_O0_test wipe_Os_test"
  run_ctest build/release -C Levels -R '^wipe_'
}

# On ARM under qemu: what differs by processor, or with --full every program.
suite_arm() {
  require_cross
  local architecture targets=all only=() programs=0
  if [ -z "$FULL" ]; then
    targets="coin_test kernels_test vectors_test"
    only=(-R "^(${targets// /|})\$")
  fi
  for architecture in arm64 armv7; do
    build_native "build/$architecture" "$targets" \
      "-DCMAKE_TOOLCHAIN_FILE=$PWD/native/toolchains/linux-$architecture.cmake"
    run_ctest "build/$architecture" "${only[@]}"
    programs=$((programs + $(programs_of "build/$architecture")))
  done
  counted "$programs programs"
}

suite_fuzz() {
  require_clang
  tools/fuzz "$FUZZ_SECONDS"
  counted "$(find native/fuzz -name '*_fuzz.cpp' | wc -l) targets"
}

# ---- What they share -------------------------------------------------------------------------------------------

# build_native DIR TARGETS [OPTION]...: each directory is one configuration, which several suites may use.
build_native() { locked "$(basename "$1")" configure_and_build "$@"; }

configure_and_build() {
  local targets=()
  read -ra targets <<<"$2"
  cmake -S . -B "$1" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHUSHBIT_DEVELOPER=ON "${@:3}"
  # Not while the wheel compiles the same core, which the compiler's cache then has.
  [ "$1" != build/release ] || locked core cmake --build "$1" --target hushbit_core hushbit_testing
  cmake --build "$1" --target "${targets[@]}"
}

# check_symbols LIBRARY: the core needs no C++ runtime and exports what its header declares, nothing else.
check_symbols() { python native/tests/check_symbols.py "$1" native/include/hushbit/hushbit.h; }

# check_consumer COMMAND...: the program of native/tests/consumer, which the command runs.
check_consumer() {
  local said status=0
  said=$("$@" tests/vectors/words-64.hushbit 1 "The cat sat")
  echo "$said"
  grep -qE $'^cost: at most [0-9]+\\.[0-9] for [0-9]+ words\r?$' <<<"$said"
  "$@" no-such.hushbit 1 text || status=$?
  [ "$status" -eq 2 ]  # HUSHBIT_FILE_NOT_FOUND
}

# run_ctest DIR [OPTION]...: without --full, not the programs that take long.
run_ctest() {
  local short=(-LE long)
  [ -z "$FULL" ] || short=()
  ctest --test-dir "$1" --parallel 2 --output-on-failure --no-tests=error "${short[@]}" "${@:2}" | tee "$1/ctest.log"
  check_checks "$1/Testing/Temporary/LastTest.log"
  counted "$(programs_of "$1") programs"
}

# check_checks LOG: every program said how many checks it made (check.h). One that says nothing made none.
check_checks() {
  awk '
    / Testing: / { name = $NF; silent[name] = 1 }
    /^[1-9][0-9]* checks, 0 failures\r?$/ { delete silent[name] }
    END { for (name in silent) { print name " made no checks"; failed = 1 }; exit failed }' "$1"
}

programs_of() { sed -nE 's/^[0-9]+% tests passed.* out of ([0-9]+).*/\1/p' "$1/ctest.log"; }

require_cross() {
  require_command aarch64-linux-gnu-g++ g++-aarch64-linux-gnu libc6-dev-arm64-cross
  require_command arm-linux-gnueabihf-g++ g++-arm-linux-gnueabihf libc6-dev-armhf-cross
  require_command qemu-aarch64-static qemu-user-static
}

require_command() {  # COMMAND PACKAGE...
  have "$1" || install_system_packages "${@:2}" || unavailable "$1: apt-get install ${*:2}"
}

# A fuzzer needs clang and its run-time libraries.
require_clang() {
  can_fuzz || install_system_packages clang lld ||
    unavailable "clang with libFuzzer: apt-get install clang lld 'libclang-rt-*-dev'"
  can_fuzz || install_system_packages "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev" || true
  can_fuzz || unavailable "clang with libFuzzer: apt-get install clang lld 'libclang-rt-*-dev'"
}

can_fuzz() {
  mkdir -p build
  printf 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }\n' |
    clang++ -fsanitize=fuzzer,address -x c++ - -o build/can-fuzz 2>/dev/null
}
