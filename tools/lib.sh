# What the scripts of tools/ share. Source it; it puts you in the repository's root.
# shellcheck shell=bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_REQUIRE_VIRTUALENV=1

say() { printf '%s\n' "$*" >&2; }
die() {
  say "error: $*"
  exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# locked NAME COMMAND...: the command, while no other runs under that name.
locked() {
  mkdir -p build/locks
  (
    if have flock; then flock 9; fi
    "${@:2}" 9>&-
  ) 9>"build/locks/$1"
}

# install_system_packages PACKAGE...: through apt-get, if this user may; otherwise fails quietly.
install_system_packages() { locked apt install_with_apt "$@"; }

install_with_apt() {
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    have sudo && sudo -n true 2>/dev/null || return 1
    as_root=(sudo -n)
  fi
  have apt-get || return 1
  say "Installing system packages: $*"
  "${as_root[@]}" apt-get update -q >/dev/null 2>&1 &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qy "$@" >/dev/null 2>&1
}

# The first Python on the path that is new enough, as PYTHON.
find_python() {
  local candidate
  for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      PYTHON=$candidate
      return
    fi
  done
  die "Hushbit needs Python 3.11 or newer; found $(python3 --version 2>&1 || true). Install one and put it on the PATH."
}

# What building the package needs beyond Python: a C++20 compiler, Python's headers and the venv module.
require_build_tools() {
  local missing=() version
  find_python
  version=$("$PYTHON" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
  can_compile || missing+=(g++)
  "$PYTHON" -c 'import ensurepip, venv' 2>/dev/null || missing+=("$version-venv")
  "$PYTHON" -c 'import os, sysconfig, sys; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' ||
    missing+=("$version-dev")
  [ ${#missing[@]} -eq 0 ] || install_system_packages "${missing[@]}" ||
    die "this is missing, and needs an administrator: apt-get install ${missing[*]}"
  can_compile || die "${CXX:-c++} does not compile C++20; install g++ 11 or clang 14, or newer, or set CXX to one"
}

can_compile() {
  printf '#include <bit>\nint main() { return std::popcount(0u); }\n' |
    "${CXX:-c++}" -std=c++20 -x c++ -fsyntax-only - 2>/dev/null
}

# make_environment DIR: a virtual environment at DIR, first on the PATH.
make_environment() {
  if ! "$1/bin/pip" --version >/dev/null 2>&1; then  # not there, of a Python that is gone, or moved
    say "Making a virtual environment in $1"
    "$PYTHON" -m venv --clear "$1"
  fi
  export VIRTUAL_ENV=$PWD/$1
  PATH=$VIRTUAL_ENV/bin:$PATH
}

# A compiler cache makes building again cheap. It works without one, too. Paths in the repository count as relative, so
# that the same sources in another folder, such as those of the source distribution, are not compiled again.
use_compiler_cache() {
  have ccache || install_system_packages ccache || return 0
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=yes
  export CCACHE_SLOPPINESS=pch_defines,time_macros  # which it needs for precompiled headers
}

# fingerprint PATH...: one hash over the contents of the files there.
fingerprint() {
  find "$@" -type f ! -name '*.pyc' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c1-32
}

# What the installed package is made of.
# shellcheck disable=SC2034  # the scripts that source this use it
PACKAGE_FILES=(pyproject.toml CMakeLists.txt README.md LICENSE native/include native/src python)

# once STAMP FINGERPRINT COMMAND...: runs the command unless it last succeeded with this fingerprint.
once() {
  local stamp=$1 fingerprint=$2
  shift 2
  [ "$(cat "$stamp" 2>/dev/null)" != "$fingerprint" ] || return 0
  rm -f "$stamp"
  "$@"
  mkdir -p "$(dirname "$stamp")"
  printf '%s\n' "$fingerprint" >"$stamp"
}

# use_developer_environment: .venv-dev with everything the tests and checks import, but not the package itself.
use_developer_environment() {
  require_build_tools
  use_compiler_cache
  make_environment .venv-dev
  once .venv-dev/requirements.stamp "$(fingerprint pyproject.toml)" install_requirements
}

# use_installed_package: the package too, made of the sources as they are.
use_installed_package() {
  [ -d build/wheel ] || rm -f .venv-dev/package.stamp
  locked package once .venv-dev/package.stamp "$(fingerprint "${PACKAGE_FILES[@]}")" install_package
}

install_package() {
  rm -rf build/wheel
  locked core build_wheel
  pip install --no-deps --force-reinstall build/wheel/*.whl
}

# The one wheel of all suites, in build/wheel. Without optimization at link time, which takes longer than all else and
# which suite slim has. The core in it is compiled as by suite native, so that the compiler's cache serves both.
build_wheel() {
  pip wheel --no-build-isolation --no-deps --config-settings build-dir=build/python \
    --config-settings cmake.define.CMAKE_INTERPROCEDURAL_OPTIMIZATION=OFF \
    --config-settings cmake.define.HUSHBIT_WARNINGS=ON --wheel-dir build/wheel .
}

install_requirements() {
  local requirements=()
  say "Installing what tests and checks need into .venv-dev"
  mapfile -t requirements < <(python - <<'PYTHON'
import tomllib

with open("pyproject.toml", "rb") as file:
    settings = tomllib.load(file)
extras = settings["project"]["optional-dependencies"]
for group in (settings["build-system"]["requires"], settings["project"]["dependencies"], *extras.values()):
    print(*group, sep="\n")
PYTHON
  )
  have cmake || requirements+=("cmake>=3.20")
  have ninja || requirements+=(ninja)
  pip install --quiet "${requirements[@]}"
}
