// One report about one value of a whole text: a word, an emoji, an answer, a new word.

import { spendForText } from "./embedder.js";
import { HushbitError } from "./errors.js";
import { readReporterOptions } from "./options.js";
import { REPORT, REPORTER_INFO, REPORTER_OPTIONS } from "./layouts.js";
import { readStruct, writeStruct } from "./structs.js";

/**
 * The promises of a reporter, and what counting needs.
 * @typedef {object} ReporterInfo
 * @property {number} requestedEpsilon
 * @property {number} effectiveEpsilon of a whole text: the epsilon that actually holds, never above the requested one
 * @property {boolean} memoized whether an equal text has an equal report within an epoch
 * @property {number} valueCount the number of values, none included; they are numbered from 0
 * @property {boolean} hasNone whether value 0 is none: a text without anything to report
 * @property {number} reports how many reports there are; they are numbered from 0
 * @property {bigint} threshold a report belongs to its value if a uniform 64-bit integer is below this
 * @property {number} probability the same, divided by 2^64
 * @property {string} hash hexadecimal; identifies the values
 */

/**
 * What may be sent of a text, as JSON. For any two texts, of any length, it is released with probabilities that differ
 * by a factor of at most e^epsilon.
 * @typedef {object} Report
 * @property {number} report its number
 * @property {string} values 16 hexadecimal digits that identify the values; reports of different ones cannot be added
 *   up
 * @property {number} epsilon the requested epsilon of the text
 * @property {1} version of what a report is
 */

/** Reports on texts. `Bundle.reporter` creates it. */
export class Reporter {
  /** @type {import("./core.js").Core | undefined} */
  #core;
  #handle = 0;
  #budget;
  #forget;
  #maxValueBytes;

  /**
   * Its promises. Stays readable after `dispose`.
   * @readonly
   * @type {ReporterInfo}
   */
  info;

  /**
   * For `Bundle.reporter`.
   * @param {import("./core.js").Core} core
   * @param {number} bundle
   * @param {import("./options.js").ReporterOptions} options
   * @param {() => void} forget called when it is disposed
   */
  constructor(core, bundle, options, forget) {
    this.#budget = options.budget;
    this.#forget = forget;
    this.#handle = create(core, bundle, readReporterOptions(options));
    this.#core = core;
    const info = core.readStruct("reporter_get_info", this.#handle, REPORTER_INFO);
    this.#maxValueBytes = info.max_value_bytes;
    this.info = readInfo(info);
  }

  /** Whether `dispose` was called. */
  get disposed() {
    return this.#core === undefined;
  }

  /**
   * Reports one text of any length: one of its words, emoji or new words, drawn at random, or none. Of a list the text
   * is a value as a whole. With a budget, epsilon is spent before anything is returned. After a failure nothing was
   * released.
   * @param {string} text lone surrogates are treated as U+FFFD
   * @returns {Promise<Report>}
   */
  report(text) {
    return this.#release("report_text", text);
  }

  /**
   * The same for a value by its number, 0 to the number of values - 1.
   * @param {number} value
   * @returns {Promise<Report>}
   */
  async reportValue(value) {
    const core = this.#open();
    this.#require(value);
    return this.#spent(readReport(core, (out) => core.check("report_value", this.#handle, value, out)));
  }

  /**
   * The same for one word of which you know that it is new, with the values "new-words". What is not 2 to 24 letters is
   * reported as none.
   * @param {string} word
   * @returns {Promise<Report>}
   */
  reportWord(word) {
    return this.#release("report_word", word);
  }

  /**
   * The spelling of a value by its number, 0 to the number of values - 1; empty for none.
   * @param {number} value
   * @returns {string}
   */
  value(value) {
    const core = this.#open();
    this.#require(value);
    const capacity = Math.max(this.#maxValueBytes, 4);
    return core.borrow(capacity + 4, (at) => {
      core.check("reporter_value", this.#handle, value, at, capacity, at + capacity);
      return core.readText(at, core.view.getUint32(at + capacity, true));
    });
  }

  /** Wipes it and frees its memory. May be called more than once. */
  dispose() {
    if (this.#core === undefined) return;
    this.#core.call("reporter_destroy", this.#handle);
    this.#core = undefined;
    this.#forget();
  }

  [Symbol.dispose]() {
    this.dispose();
  }

  #open() {
    if (this.#core !== undefined) return this.#core;
    throw new HushbitError("INVALID_ARGUMENT", "this reporter is disposed; create another one");
  }

  /** @param {number} value */
  #require(value) {
    if (Number.isInteger(value) && value >= 0 && value < this.info.valueCount) return;
    throw new HushbitError("INVALID_ARGUMENT", `the value must be an integer, 0 to ${this.info.valueCount - 1}`);
  }

  /**
   * @param {string} call
   * @param {string} text
   */
  async #release(call, text) {
    const core = this.#open();
    if (typeof text !== "string") throw new HushbitError("INVALID_ARGUMENT", "the text is not a string");
    return this.#spent(
      readReport(core, (out) => core.borrowText(text, (at, size) => core.check(call, this.#handle, at, size, out))),
    );
  }

  /** @param {Report} report */
  async #spent(report) {
    await spendForText(this.#budget, this.info.effectiveEpsilon);
    return report;
  }
}

/**
 * @param {import("./core.js").Core} core
 * @param {(out: number) => void} fill
 * @returns {Report}
 */
function readReport(core, fill) {
  return core.borrow(REPORT.size, (out) => {
    core.view.setBigUint64(out, BigInt(REPORT.size), true);
    fill(out);
    const { report, epsilon, values } = readStruct(REPORT, core.view, out);
    return { report, values, epsilon, version: 1 };
  });
}

/**
 * @param {import("./core.js").Core} core
 * @param {number} bundle
 * @param {ReturnType<typeof readReporterOptions>} options
 */
function create(core, bundle, { deviceKey, list, passOver, ...numbers }) {
  return core.borrow(REPORTER_OPTIONS.size, (at) => {
    core.view.setBigUint64(at, BigInt(REPORTER_OPTIONS.size), true);
    core.check("reporter_options_init", at);
    writeStruct(REPORTER_OPTIONS, core.view, at, numbers);
    return core.borrowText(list, (listAt, listBytes) =>
      core.borrowText(passOver, (passAt, passBytes) => {
        writeStruct(REPORTER_OPTIONS, core.view, at, { list: listAt, list_bytes: listBytes });
        writeStruct(REPORTER_OPTIONS, core.view, at, { pass_over: passAt, pass_over_bytes: passBytes });
        if (deviceKey === undefined) return core.create("reporter_create", bundle, at);
        return core.borrow(deviceKey.length, (key) => {
          core.bytes.set(deviceKey, key);
          writeStruct(REPORTER_OPTIONS, core.view, at, { device_key: key });
          return core.create("reporter_create", bundle, at);
        });
      }),
    );
  });
}

/**
 * @param {ReturnType<typeof readStruct<typeof REPORTER_INFO.fields>>} info
 * @returns {ReporterInfo}
 */
function readInfo(info) {
  return {
    requestedEpsilon: info.requested_epsilon,
    effectiveEpsilon: info.effective_epsilon,
    memoized: info.memoized !== 0,
    valueCount: info.value_count,
    hasNone: info.has_none !== 0,
    reports: info.reports,
    threshold: info.threshold,
    probability: info.probability,
    hash: info.hash,
  };
}
