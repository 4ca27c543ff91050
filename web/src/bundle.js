// A bundle: an instance of the core with the words and codes in its memory.

import { Embedder } from "./embedder.js";
import { HushbitError } from "./errors.js";
import { crowdSizeOf, epsilonUnitOf, mechanismOf, readOptions } from "./options.js";
import { Privatizer } from "./privatizer.js";
import { Reporter } from "./reporter.js";
import { readTokens } from "./result.js";
import { BUNDLE_INFO } from "./layouts.js";

/**
 * The contents of a bundle's header.
 * @typedef {object} BundleInfo
 * @property {string} formatVersion
 * @property {number} bits bits of a code
 * @property {number} words number of words in the vocabulary
 * @property {number} outputWords number of words that may come out
 * @property {number} publicWords number of words that are released without noise
 * @property {number} maxWordBytes length of the longest word, in bytes of UTF-8
 * @property {number} maxDistance an upper bound on the distance between any two codes, in bits
 * @property {number} averageDistance mean Hamming distance over all ordered pairs of codes
 * @property {import("./options.js").Mechanism} defaultMechanism
 * @property {number} defaultEpsilon for the default mechanism, in its unit
 * @property {"bit" | "word"} defaultEpsilonUnit the unit of `defaultEpsilon`
 * @property {number} defaultEpsilonBrr per differing bit, for "brr"; 0 if there is none
 * @property {number} defaultEpsilonTem the same for "tem"
 * @property {import("./options.js").CrowdSize | undefined} defaultCrowdSize if the default mechanism is "crowd"
 * @property {string} unicodeVersion of the tokenizer for which the vocabulary was built, "major.minor.update"
 * @property {number} fileBytes
 * @property {string} hash hexadecimal; identifies the bundle
 */

/**
 * @param {ReturnType<typeof import("./structs.js").readStruct<typeof BUNDLE_INFO.fields>>} info
 * @returns {BundleInfo}
 */
function readInfo(info) {
  return {
    formatVersion: `${info.format_major}.${info.format_minor}`,
    bits: info.bits,
    words: info.words,
    outputWords: info.output_words,
    publicWords: info.public_words,
    maxWordBytes: info.max_word_bytes,
    maxDistance: info.max_distance,
    averageDistance: info.average_distance,
    defaultMechanism: mechanismOf(info.default_mechanism),
    defaultEpsilon: info.default_epsilon,
    defaultEpsilonUnit: epsilonUnitOf(info.default_epsilon_unit),
    defaultEpsilonBrr: info.default_epsilon_brr,
    defaultEpsilonTem: info.default_epsilon_tem,
    defaultCrowdSize: crowdSizeOf(info.default_crowd_size),
    unicodeVersion: unicodeVersionOf(info.unicode_version),
    fileBytes: info.file_bytes,
    hash: info.hash,
  };
}

/** @param {number} packed */
function unicodeVersionOf(packed) {
  return `${packed >>> 16}.${(packed >>> 8) & 0xff}.${packed & 0xff}`;
}

/** An open bundle. `load` creates it. */
export class Bundle {
  /** @type {import("./core.js").Core | undefined} */
  #core;
  #handle = 0;
  /** @type {Set<Privatizer | Embedder | Reporter>} what uses it */
  #users = new Set();

  /**
   * The contents of the header. Stays readable after `dispose`.
   * @readonly
   * @type {BundleInfo}
   */
  info;

  /**
   * Opens a bundle in a separate instance. Internal: use `load`.
   * @param {import("./core.js").Core} core
   * @param {Uint8Array} bytes are copied
   */
  constructor(core, bytes) {
    const at = core.allocate(bytes.length);
    core.bytes.set(bytes, at);
    this.#handle = core.create("bundle_open_memory", at, bytes.length);
    this.#core = core;
    this.info = readInfo(core.readStruct("bundle_get_info", this.#handle, BUNDLE_INFO));
  }

  /**
   * The bundle's JSON description of itself: source, license, binarizer, calibration.
   * @returns {string}
   */
  get meta() {
    const core = this.#open();
    return core.borrow(4, (out) => {
      const at = core.call("bundle_meta", this.#handle, out) >>> 0;
      return core.readText(at, core.view.getUint32(out, true));
    });
  }

  /** Whether `dispose` was called. */
  get disposed() {
    return this.#core === undefined;
  }

  /**
   * Creates a privatizer for the bundle. Every option that is not given has the bundle's default.
   * @param {import("./options.js").PrivatizerOptions} [options]
   * @returns {Privatizer}
   */
  privatizer(options = {}) {
    const core = this.#open();
    const privatizer = new Privatizer(core, this.#handle, readOptions(options, this.info), options.budget, () =>
      this.#users.delete(privatizer),
    );
    this.#users.add(privatizer);
    return privatizer;
  }

  /**
   * Creates an embedder for the bundle. Throws INVALID_ARGUMENT if the bundle has no embedding.
   * @param {import("./options.js").EmbedderOptions} [options]
   * @returns {Embedder}
   */
  embedder(options = {}) {
    const core = this.#open();
    const make = (/** @type {number} */ at) => core.create("embedder_create", this.#handle, at);
    const embedder = new Embedder(core, this, make, options, () => this.#users.delete(embedder));
    this.#users.add(embedder);
    return embedder;
  }

  /**
   * Creates a reporter, which releases one report about one value of a whole text.
   * @param {import("./options.js").ReporterOptions} [options]
   * @returns {Reporter}
   */
  reporter(options = {}) {
    const reporter = new Reporter(this.#open(), this.#handle, options, () => this.#users.delete(reporter));
    this.#users.add(reporter);
    return reporter;
  }

  /**
   * The tokens of a text, without releasing anything.
   * @param {string} text
   * @returns {import("./result.js").Token[]}
   */
  tokenize(text) {
    const core = this.#open();
    const result = core.create("result_create");
    try {
      core.borrowText(text, (at, size) => core.check("tokenize", this.#handle, at, size, result));
      return readTokens(core, result);
    } finally {
      core.call("result_destroy", result);
    }
  }

  /**
   * The id of a word, or null. The word must be spelled exactly as in the vocabulary.
   * @param {string} word
   * @returns {number | null}
   */
  find(word) {
    const core = this.#open();
    return core.borrow(4, (out) => {
      try {
        core.borrowText(word, (at, size) => core.check("bundle_find", this.#handle, at, size, out));
      } catch (error) {
        if (error instanceof HushbitError && error.status === "UNKNOWN_WORD") return null;
        throw error;
      }
      return core.view.getUint32(out, true);
    });
  }

  /**
   * The word of an id, 0 to the number of words - 1.
   * @param {number} id
   * @returns {string}
   */
  word(id) {
    const core = this.#open();
    if (!Number.isInteger(id) || id < 0 || id >= this.info.words) {
      throw new HushbitError("INVALID_ARGUMENT", `word id is ${id}; it must be 0 to ${this.info.words - 1}`);
    }
    const capacity = 256;
    return core.borrow(capacity + 4, (at) => {
      core.check("bundle_word", this.#handle, id, at, capacity, at + capacity);
      return core.readText(at, core.view.getUint32(at + capacity, true));
    });
  }

  /** Reads every byte and compares the hashes; throws CORRUPT_BUNDLE with the place. Takes time. */
  verify() {
    this.#open().check("bundle_verify", this.#handle);
  }

  /** Frees the memory, and disposes everything that was created from it. May be called more than once. */
  dispose() {
    if (this.#core === undefined) return;
    for (const user of this.#users) user.dispose();
    this.#core.call("bundle_close", this.#handle);
    this.#core = undefined;
  }

  [Symbol.dispose]() {
    this.dispose();
  }

  #open() {
    if (this.#core === undefined) throw new HushbitError("INVALID_ARGUMENT", "this bundle is disposed; load it again");
    return this.#core;
  }
}
