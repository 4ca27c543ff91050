// Failures, by the names of hushbit_status in native/include/hushbit/types.h.

/**
 * @typedef {"INVALID_ARGUMENT" | "FILE_NOT_FOUND" | "IO_ERROR" | "CORRUPT_BUNDLE" | "UNSUPPORTED_BUNDLE" |
 *   "OUT_OF_MEMORY" | "RANDOMNESS_FAILED" | "INVALID_UTF8" | "UNKNOWN_WORD" | "BUDGET_EXHAUSTED" | "CORRUPT_BUDGET" |
 *   "UNSUPPORTED_BUDGET" | "STORAGE_ERROR"} Status
 */

/** The status names, each at its number. @type {readonly ["OK", ...Status[]]} */
export const STATUSES = [
  "OK",
  "INVALID_ARGUMENT",
  "FILE_NOT_FOUND",
  "IO_ERROR",
  "CORRUPT_BUNDLE",
  "UNSUPPORTED_BUNDLE",
  "OUT_OF_MEMORY",
  "RANDOMNESS_FAILED",
  "INVALID_UTF8",
  "UNKNOWN_WORD",
  "BUDGET_EXHAUSTED",
  "CORRUPT_BUDGET",
  "UNSUPPORTED_BUDGET",
  "STORAGE_ERROR",
];

/** What every function of this package throws. Its message never holds text that was to be privatized. */
export class HushbitError extends Error {
  /**
   * @param {Status} status what kind of failure it is
   * @param {string} message what was wrong and what to do, in English
   * @param {number} [position] where: the UTF-16 index of a token, or a byte of the bundle
   * @param {unknown} [cause] what lies beneath, if anything does
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
