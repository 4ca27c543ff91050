# The suite of the React Native module, and how its package is put together. Source it after suites.sh, native.sh and
# web.sh.
# shellcheck shell=bash

REACT_NATIVE=build/react-native
# What npm installs with what it depends on, and what is only unpacked: headers, types, an app of Expo's.
REACT_NATIVE_INSTALLED=(@expo/config-plugins@58.0.13 @react-native-community/cli-config-android@20.2.0
  @types/node@22.20.7 @types/react@19.3.3)
REACT_NATIVE_UNPACKED=(react-native@0.88.1 expo@58.0.26 expo-file-system@58.0.14 expo-modules-core@58.1.0
  expo-template-bare-minimum@58.0.8)

# The C++ module against the golden vectors in a stand-in for the engine; the types of the package and of the sample
# screen; the config plugin and the autolinking on an app of Expo's template.
suite_react_native() {
  require_command cmake cmake
  require_command node nodejs
  require_command npm npm
  locked web require_web_packages
  once "$REACT_NATIVE/npm.stamp" "${REACT_NATIVE_INSTALLED[*]} ${REACT_NATIVE_UNPACKED[*]}" install_react_native
  build_react_native_package
  web/node_modules/.bin/prettier --check --config web/package.json react-native
  web/node_modules/.bin/tsc -p "$REACT_NATIVE/package"
  cmake -S react-native/test -B "$REACT_NATIVE/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DHUSHBIT_PACKAGE="$PWD/$REACT_NATIVE/package" \
    -DREACT_NATIVE="$PWD/$REACT_NATIVE/node_modules/react-native"
  cmake --build "$REACT_NATIVE/build"
  run_ctest "$REACT_NATIVE/build"
  node --test --test-reporter=tap react-native/test/*.test.mjs | tee "$REACT_NATIVE/test.log"
  counted "$(programs_of "$REACT_NATIVE/build") programs," \
    "$(sed -nE 's/^# pass ([0-9]+)/\1/p' "$REACT_NATIVE/test.log") tests"
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
