# The suite of the source distribution on a bare system. Source it after suites.sh and roots.sh.
# shellcheck shell=bash

SLIM_ROOT=$(root_path bookworm-slim)
SLIM_BUILD=build/slim

# On a Debian 12 with Python, its headers and a C++ compiler, but neither CMake nor Ninja nor a network, pip builds and
# installs the source distribution, given a directory with what it requires. Then it privatizes.
suite_slim() {
  require_root_rights
  [ -x "$SLIM_ROOT/usr/bin/python3-config" ] || make_root bookworm "$SLIM_ROOT" python3-venv,python3-dev,g++ ||
    unavailable "a Debian 12 root made by mmdebstrap"
  rm -rf "$SLIM_BUILD"
  mkdir -p "$SLIM_BUILD"
  python -m build --no-isolation --sdist --outdir "$SLIM_BUILD" .
  # CMake and Ninja are what scikit-build-core asks for where there are none.
  local packages
  mapfile -t packages < <(slim_requirements)
  pip download --quiet --only-binary :all: --python-version 3.11 --dest "$SLIM_BUILD/index" \
    cmake ninja "${packages[@]}"
  # shellcheck disable=SC2016  # the inner shell expands these
  in_root "$SLIM_ROOT" "$SLIM_BUILD" unshare --net bash -ec '
    cd /scratch
    if command -v cmake || command -v ninja; then exit 1; fi
    python3 -m venv environment
    environment/bin/pip install --quiet --no-index --find-links index hushbit-*.tar.gz
    echo "The men were there" | environment/bin/hushbit privatize >privatized.txt'
  [ "$(wc -w <"$SLIM_BUILD/privatized.txt")" -ge 4 ] || die "not four words: $SLIM_BUILD/privatized.txt"
  counted 1 source distribution
}

# slim_requirements: what the package asks for to be built, and to run.
slim_requirements() {
  python - <<'PYTHON'
import tomllib

with open("pyproject.toml", "rb") as file:
    document = tomllib.load(file)
for requirement in [*document["build-system"]["requires"], *document["project"]["dependencies"]]:
    print(requirement.replace(" ", ""))
PYTHON
}
