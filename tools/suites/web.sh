# The suites of the web package, and how it is built. Source it after suites.sh.
# shellcheck shell=bash

WEB=build/web
WEB_CORE=web/src/hushbit.wasm
ENGLISH=python/hushbit/data/english.hushbit

# ---- Suites ----------------------------------------------------------------------------------------------------

# The core in WebAssembly against the golden vectors, in Node; the package, its types and its size.
suite_web() {
  locked web pack_web_package "$WEB/packed"
  tools/release/try_npm "$WEB"/packed/*.tgz
  (cd web && node_modules/.bin/prettier --check . && node_modules/.bin/tsc -p .)
  check_web_types
  node --test --test-reporter=tap web/test/*.test.js | tee "$WEB/test.log"
  check_web_sizes
  counted "$(sed -nE 's/^# pass ([0-9]+)/\1/p' "$WEB/test.log")" tests
}

# The types as projects see them that do not skip the checks of libraries, without and with the types of browsers.
check_web_types() {
  local types=$WEB/types options=(--noEmit --strict --target es2022 --module nodenext)
  rm -rf "$types" && mkdir -p "$types/node_modules"
  printf '{"type": "module"}\n' >"$types/package.json"
  cp -r "$WEB/packed/package" "$types/node_modules/hushbit"
  cp web/test/types/*.ts "$types"
  web/node_modules/.bin/tsc "${options[@]}" --lib es2022 "$types/server.ts"
  web/node_modules/.bin/tsc "${options[@]}" --lib es2022,dom "$types/page.ts"
}

# The sizes that users download: gzipped, as a server sends them, against what they may be (web/sizes.tsv).
check_web_sizes() {
  local what limit size ok=yes
  while IFS=$'\t' read -r what limit _; do
    case "$what" in
      core) size=$(gzip -9c "$WEB_CORE" | wc -c) ;;
      package) size=$(tar -c -C "$WEB/packed/package" --exclude=english.hushbit --exclude=LICENSE-PDDL.txt . |
        gzip -9 | wc -c) ;;
      *) die "web/sizes.tsv knows no $what" ;;
    esac
    printf '%s\t%s\t%s\n' "$what" "$limit" "$size"
    [ "$size" -le "$limit" ] || ok=no
  done <web/sizes.tsv >"$WEB/sizes.tsv"
  say "what, limit, gzipped bytes:"
  cat "$WEB/sizes.tsv" >&2
  [ "$ok" = yes ] || die "the web package is larger than it may be"
}

# The playground, also in the site of docs, the component and budgets in Chromium and Firefox. What axe finds, what
# works from a disk, and screenshots in build/web/screenshots, for people to look at.
suite_browsers() {
  require_command chromium chromium
  require_command firefox-esr firefox-esr
  fc-list 2>/dev/null | grep -qi emoji || install_system_packages fonts-noto-color-emoji || true  # for screenshots
  locked web build_web_core
  tools/docs/build build/web/site
  node --test --test-concurrency=1 --test-reporter=tap web/test/browsers/*.test.js | tee "$WEB/browsers.log"
  counted "$(sed -nE 's/^# pass ([0-9]+)/\1/p' "$WEB/browsers.log")" tests
}

# The package as users install it, in each bundler, test runner and server of docs/bundlers.md: built, and run.
suite_bundlers() {
  [ "$(uname -sm)" = "Linux x86_64" ] || unavailable "Linux on x86-64, for which npm has Node, Deno and Bun"
  require_command chromium chromium
  locked web pack_web_package "$WEB/packed-for-bundlers"
  once "$WEB/bundlers/npm.stamp" "$(fingerprint web/test/bundlers/package.json)" install_bundlers
  rm -rf "$WEB/bundlers/node_modules/hushbit"
  cp -r "$WEB/packed-for-bundlers/package" "$WEB/bundlers/node_modules/hushbit"
  node --test --test-concurrency=1 --test-reporter=tap web/test/bundlers/*.test.js | tee "$WEB/bundlers.log"
  counted "$(sed -nE 's/^# pass ([0-9]+)/\1/p' "$WEB/bundlers.log")" tests
}

# Several need programs that their packages bring, but no scripts of these packages.
install_bundlers() {
  rm -rf "$WEB/bundlers" && mkdir -p "$WEB/bundlers"
  cp web/test/bundlers/package.json "$WEB/bundlers"
  npm install --silent --ignore-scripts --no-audit --no-fund --legacy-peer-deps --prefix "$WEB/bundlers" ||
    unavailable "npm's $(node -p 'Object.keys(require("./web/test/bundlers/package.json").dependencies).join(", ")')"
  chmod +x "$WEB"/bundlers/node_modules/{@deno/linux-x64-glibc/deno,@oven/bun-linux-x64/bin/bun}
}

# ---- What they share -------------------------------------------------------------------------------------------

require_web_tools() {
  require_command emcc emscripten
  require_command node nodejs
  require_command npm npm
  require_web_packages
}

require_web_packages() {
  [ -d web/node_modules ] || rm -f "$WEB/npm.stamp"
  once "$WEB/npm.stamp" "$(fingerprint web/package.json)" install_web_packages
}

# Without a lock file, which would name a registry; the versions are pinned.
install_web_packages() {
  npm install --silent --ignore-scripts --no-audit --no-fund --no-package-lock --prefix web ||
    unavailable "npm's $(node -p 'Object.keys(require("./web/package.json").devDependencies).join(", ")')"
}

build_web_core() {
  require_web_tools
  emcmake cmake -S . -B "$WEB/core" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG"
  cmake --build "$WEB/core" --target hushbit_wasm
  cmp -s "$WEB/core/web/core/hushbit.wasm" "$WEB_CORE" || cp "$WEB/core/web/core/hushbit.wasm" "$WEB_CORE"
  [ ! -s "$ENGLISH" ] || cp -u "$ENGLISH" web/src/english.hushbit  # for the playground, where it is
}

# build_web_package [with-bundle]: into build/web/package.
build_web_package() {
  local package=$WEB/package
  build_web_core
  rm -rf "$package"
  mkdir -p "$package"
  cp web/src/*.js web/README.md LICENSE "$WEB_CORE" "$package"
  web/node_modules/.bin/tsc -p web/tsconfig.types.json --outDir "$package"
  node web/package.js "$package"
  [ "${1:-}" = with-bundle ] || return 0
  [ -s "$ENGLISH" ] || die "$ENGLISH is missing: the built-in bundle is made there first"
  cp "$ENGLISH" "$(dirname "$ENGLISH")/LICENSE-PDDL.txt" "$package"
}

# pack_web_package DIRECTORY: the package with its bundle as npm gets it, packed and as it is installed, for one suite
# alone: others may build it again.
pack_web_package() {
  build_web_package with-bundle
  rm -rf "$1" && mkdir -p "$1"
  npm pack --silent "./$WEB/package" --pack-destination "$1" >&2
  tar -xzf "$1"/*.tgz -C "$1"
}
