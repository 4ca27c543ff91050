// Failures, with the names of hushbit_status in native/include/hushbit/types.h.

/**
 * @typedef {"INVALID_ARGUMENT" | "FILE_NOT_FOUND" | "READ_FAILED" | "CORRUPT_BUNDLE" | "UNSUPPORTED_BUNDLE" |
 *   "OUT_OF_MEMORY" | "RANDOMNESS_FAILED" | "INVALID_TEXT" | "UNKNOWN_WORD" | "BUDGET_EXHAUSTED" | "CORRUPT_BUDGET" |
 *   "UNSUPPORTED_BUDGET" | "STORAGE_FAILED"} Status
 */

/** The status names, indexed by number. @type {readonly ["OK", ...Status[]]} */
export const STATUSES = [
  "OK",
  "INVALID_ARGUMENT",
  "FILE_NOT_FOUND",
  "READ_FAILED",
  "CORRUPT_BUNDLE",
  "UNSUPPORTED_BUNDLE",
  "OUT_OF_MEMORY",
  "RANDOMNESS_FAILED",
  "INVALID_TEXT",
  "UNKNOWN_WORD",
  "BUDGET_EXHAUSTED",
  "CORRUPT_BUDGET",
  "UNSUPPORTED_BUDGET",
  "STORAGE_FAILED",
];

/** The error of every function of this package. Its message never contains text that was passed in to be privatized. */
export class HushbitError extends Error {
  /**
   * @param {Status} status the kind of the failure
   * @param {string} message what was wrong and what to do, in English
   * @param {number} [position] the UTF-16 index of a token, or a byte of the bundle
   * @param {unknown} [cause] the underlying error, if there is one
   */
  constructor(status, message, position = 0, cause = undefined) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "HushbitError";
    /** @readonly */
    this.status = status;
    /** @readonly */
    this.position = position;
  }
}

/**
 * A part of the platform, or an error that names it: browsers, servers and test runners lack different ones.
 * @template {keyof typeof globalThis} Name
 * @param {Name} name
 * @returns {(typeof globalThis)[Name]}
 */
export function platform(name) {
  const found = globalThis[name];
  if (found !== undefined) return found;
  const why = "the system is too old, or a test runner hides it (then run the test in an environment of Node)";
  throw new HushbitError("READ_FAILED", `there is no ${name} here: ${why}`);
}
