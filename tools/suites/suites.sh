# Running suites, one line each. Source it after lib.sh and set LOGS to a directory.
#
# A suite is a function suite_NAME. It runs in a shell of its own, fails like a script under `set -e`, and calls
# `counted` with what it ran. One that this machine cannot run calls `unavailable`: it is skipped loudly, and the whole
# run fails all the same where CI=true. What it writes to $LOGS/NAME.shown is printed below its line.
# shellcheck shell=bash

# counted WHAT...: what the suite ran, for its line.
counted() { printf '%s' "$*" >"$LOGS/$suite.note"; }

# unavailable WHAT...: ends a suite that this machine lacks something for.
unavailable() {
  counted "needs $*"
  touch "$LOGS/$suite.unavailable"
  exit 1
}

# run_suites NAME...: runs them in turn, prints a line each, the logs of those that failed, and the counts.
run_suites() {
  local suite passed=0 skipped=0 failed=()
  for suite in "$@"; do
    declare -F "suite_$suite" >/dev/null || die "no suite is called $suite"
  done
  mkdir -p "$LOGS"
  for suite in "$@"; do run_suite; done
  for suite in "${failed[@]}"; do
    printf '\n---- %s: the end of %s ----\n' "$suite" "$LOGS/$suite.log"
    tail -n 100 "$LOGS/$suite.log"
  done
  [ "$skipped" -eq 0 ] || say "NOT EVERYTHING RAN: install what the skipped suites need"
  printf '\n%s passed, %s failed%s\n' "$passed" "${#failed[@]}" "$([ "$skipped" -eq 0 ] || echo ", $skipped skipped")"
  [ ${#failed[@]} -eq 0 ] && { [ "$skipped" -eq 0 ] || [ "${CI:-}" != true ]; }
}

run_suite() {
  local status=0 start=$SECONDS outcome
  rm -f "$LOGS/$suite".*
  set +e
  (
    set -e
    "suite_$suite"
  ) >"$LOGS/$suite.log" 2>&1 </dev/null
  status=$?
  set -e
  if [ -e "$LOGS/$suite.unavailable" ]; then
    skipped=$((skipped + 1)) outcome=SKIPPED
  elif [ "$status" -ne 0 ]; then
    failed+=("$suite") outcome=FAILED
  else
    passed=$((passed + 1)) outcome=ok
  fi
  printf '%-12s %-8s %4d s   %s\n' "$suite" "$outcome" $((SECONDS - start)) "$(cat "$LOGS/$suite.note" 2>/dev/null)"
  [ ! -e "$LOGS/$suite.shown" ] || cat "$LOGS/$suite.shown"
}
