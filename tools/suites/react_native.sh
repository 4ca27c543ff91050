# The suite of the React Native module, and how its package is put together. Source it after suites.sh, native.sh,
# zig.sh and web.sh.
# shellcheck shell=bash

REACT_NATIVE=build/react-native
# What npm installs with what it depends on, and what is only unpacked: headers, types, an app of Expo's.
REACT_NATIVE_INSTALLED=(@expo/config-plugins@58.0.13 @react-native-community/cli-config-android@20.2.0
  @types/node@22.20.7 @types/react@19.3.3)
REACT_NATIVE_UNPACKED=(react-native@0.88.1 expo@58.0.26 expo-file-system@58.0.14 expo-modules-core@58.1.0
  expo-template-bare-minimum@58.0.8)

# The package in JavaScriptCore, with the C++ module, against the golden vectors; the types of the package and of the
# sample screen; the config plugin and the autolinking on an app of Expo's template.
suite_react_native() {
  require_command cmake cmake
  require_command node nodejs
  require_command npm npm
  require_command pkg-config pkg-config
  pkg-config --exists javascriptcoregtk-4.1 || install_system_packages libjavascriptcoregtk-4.1-dev ||
    unavailable libjavascriptcoregtk-4.1-dev
  locked web require_web_packages
  once "$REACT_NATIVE/npm.stamp" "${REACT_NATIVE_INSTALLED[*]} ${REACT_NATIVE_UNPACKED[*]}" install_react_native
  build_react_native_package
  web/node_modules/.bin/prettier --check --config web/package.json react-native
  web/node_modules/.bin/tsc -p "$REACT_NATIVE/package"
  cmake -S react-native/test -B "$REACT_NATIVE/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DHUSHBIT_PACKAGE="$PWD/$REACT_NATIVE/package" \
    -DREACT_NATIVE="$PWD/$REACT_NATIVE/node_modules/react-native"
  cmake --build "$REACT_NATIVE/build"
  compile_for_apple
  run_in_engine | tee "$REACT_NATIVE/engine.log"
  node --test --test-reporter=tap react-native/test/*.test.mjs | tee "$REACT_NATIVE/test.log"
  counted "$(sed -nE 's/^# pass ([0-9]+)/\1/p' "$REACT_NATIVE/engine.log") tests in JavaScriptCore," \
    "$(sed -nE 's/^# pass ([0-9]+)/\1/p' "$REACT_NATIVE/test.log") of the plugin"
}

# The C++ module with clang and its library, as on phones. The headers of React Native are those of the suite.
compile_for_apple() {
  require_zig
  local common=$REACT_NATIVE/node_modules/react-native/ReactCommon file
  for file in react-native/cpp/*.cpp; do
    zig c++ -target aarch64-macos -std=c++20 -Wall -Wextra -Werror -c -o "$REACT_NATIVE/apple.o" \
      -I native/include -isystem "$common" -isystem "$common/jsi" -isystem "$common/callinvoker" \
      -isystem "$common/react/nativemodule/core" "$file"
  done
}

# The tests of the package, compiled for an engine that has no modules; the types were checked before.
run_in_engine() {
  local scripts=$REACT_NATIVE/scripts
  rm -rf "$scripts" "$REACT_NATIVE/temporary"
  mkdir -p "$REACT_NATIVE/temporary"
  web/node_modules/.bin/tsc -p "$REACT_NATIVE/package" --noEmit false --noCheck --module commonjs \
    --moduleResolution node10 --outDir "$scripts"
  cp react-native/test/run.js "$scripts/test"
  "$REACT_NATIVE/build/engine" "$scripts" "$PWD/tests/vectors" "$PWD/$REACT_NATIVE/temporary"
}

# Without a lock file, which would name a registry; the versions are pinned.
install_react_native() {
  rm -rf "$REACT_NATIVE/node_modules"
  mkdir -p "$REACT_NATIVE"
  npm install --silent --ignore-scripts --no-audit --no-fund --no-package-lock --no-save --legacy-peer-deps \
    --prefix "$REACT_NATIVE" "${REACT_NATIVE_INSTALLED[@]}" || unavailable "npm's ${REACT_NATIVE_INSTALLED[*]}"
  local package folder archive
  for package in "${REACT_NATIVE_UNPACKED[@]}"; do
    archive=$(npm pack --silent --pack-destination "$REACT_NATIVE" "$package") || unavailable "npm's $package"
    folder=$REACT_NATIVE/node_modules/${package%@*}
    mkdir -p "$folder"
    tar -xzf "$REACT_NATIVE/$archive" -C "$folder" --strip-components 1
    rm "$REACT_NATIVE/$archive"
  done
}

# The package as it would be published, and what the tests need of it, in build/react-native/package.
build_react_native_package() {
  local package=$REACT_NATIVE/package
  [ -s "$ENGLISH" ] || die "$ENGLISH is missing: the built-in bundle is made there first"
  rm -rf "$package"
  mkdir -p "$package/native" "$package/words"
  cp -r react-native/. LICENSE "$package"
  cp -r native/include native/src "$package/native"
  cp "$ENGLISH" "$(dirname "$ENGLISH")/LICENSE-PDDL.txt" "$package/words"
  node -e 'const [file, version, homepage] = process.argv.slice(1);
    const content = { ...JSON.parse(fs.readFileSync(file, "utf8")), version, homepage };
    fs.writeFileSync(file, JSON.stringify(content, null, 2));' "$package/package.json" \
    "$(sed -nE 's/^#define HUSHBIT_VERSION "(.*)"/\1/p' native/include/hushbit/hushbit.h)" \
    "$(python tools/release/address --placeholder)"
}
