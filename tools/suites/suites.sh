# Running suites, two at a time, one line each as it ends. Source it after lib.sh and set LOGS to a directory.
#
# A suite is a function suite_NAME. It runs in a shell of its own, fails like a script under `set -e`, and calls
# `counted` with what it ran. One that this machine cannot run calls `unavailable`: it is skipped loudly, and the whole
# run fails all the same where CI=true. What it writes to $LOGS/NAME.shown is printed below its line. Suites that use
# the same files do so under `locked`.
# shellcheck shell=bash

SUITES_AT_A_TIME=2

# counted WHAT...: what the suite ran, for its line.
counted() { printf '%s' "$*" >"$LOGS/$suite.note"; }

# unavailable WHAT...: ends a suite that this machine lacks something for.
unavailable() {
  counted "needs $*"
  touch "$LOGS/$suite.unavailable"
  exit 1
}

# run_suites NAME...: runs them, prints a line each, the logs of those that failed, what each took, and the counts.
run_suites() {
  local suite running=0
  for suite in "$@"; do
    declare -F "suite_$suite" >/dev/null || die "no suite is called $suite"
  done
  mkdir -p "$LOGS"
  have flock || SUITES_AT_A_TIME=1
  trap 'stop_suites; exit 130' INT
  trap 'stop_suites; exit 143' TERM
  set -m  # each suite is a process group of its own, which can be ended as a whole
  for suite in "$@"; do
    if [ "$running" -eq "$SUITES_AT_A_TIME" ]; then
      wait -n
      running=$((running - 1))
    fi
    run_suite &
    running=$((running + 1))
  done
  wait
  set +m
  trap - INT TERM
  report_suites "$@"
}

stop_suites() {
  local process
  for process in $(jobs -p); do kill -TERM -- "-$process" 2>/dev/null || true; done
}

run_suite() {
  local status outcome=ok wall user system
  local TIMEFORMAT='%0R %0U %0S'
  rm -f "$LOGS/$suite".*
  set +e
  {
    time {
      (
        set -e
        "suite_$suite"
      ) >"$LOGS/$suite.log" 2>&1 </dev/null
    }
    status=$?
  } 2>"$LOGS/$suite.time"
  set -e
  [ "$status" -eq 0 ] || outcome=FAILED
  [ ! -e "$LOGS/$suite.unavailable" ] || outcome=SKIPPED
  printf '%s' "$outcome" >"$LOGS/$suite.outcome"
  read -r wall user system <"$LOGS/$suite.time"
  printf '%-12s %-8s %4d s, %4d s of processor   %s\n' \
    "$suite" "$outcome" "$wall" $((user + system)) "$(cat "$LOGS/$suite.note" 2>/dev/null)"
  [ ! -e "$LOGS/$suite.shown" ] || cat "$LOGS/$suite.shown"
}

report_suites() {
  local suite wall user system passed=0 failed=0 skipped=0
  for suite in "$@"; do
    case "$(cat "$LOGS/$suite.outcome" 2>/dev/null)" in
      ok) passed=$((passed + 1)) ;;
      SKIPPED) skipped=$((skipped + 1)) ;;
      *)
        failed=$((failed + 1))
        printf '\n---- %s: the end of %s ----\n' "$suite" "$LOGS/$suite.log"
        tail -n 100 "$LOGS/$suite.log"
        ;;
    esac
  done
  if [ $# -gt "$SUITES_AT_A_TIME" ]; then
    printf '\nSlowest first:\n'
    for suite in "$@"; do
      read -r wall user system <"$LOGS/$suite.time"
      printf '%6d s, %5d s of processor   %s\n' "$wall" $((user + system)) "$suite"
    done | sort -k 1,1nr
  fi
  [ "$skipped" -eq 0 ] || say "NOT EVERYTHING RAN: install what the skipped suites need"
  printf '\n%s passed, %s failed%s\n' "$passed" "$failed" "$([ "$skipped" -eq 0 ] || echo ", $skipped skipped")"
  [ "$failed" -eq 0 ] && { [ "$skipped" -eq 0 ] || [ "${CI:-}" != true ]; }
}
