// The options of a privatizer. Their names are here, their numbers in native/include/hushbit/types.h.

import { HushbitError } from "./errors.js";

/**
 * @typedef {"brr" | "tem" | "crowd"} Mechanism
 * @typedef {"one" | "few" | "many"} CrowdSize
 * @typedef {"random" | "drop" | "mask" | "error" | "verbatim-unsafe"} OovPolicy
 * @typedef {"drop" | "privatize"} PunctuationPolicy
 */

/**
 * Every option that is not given has the bundle's default.
 * @typedef {object} PrivatizerOptions
 * @property {Mechanism} [mechanism] "brr": randomized response on the bits of the code, then the nearest word; "tem":
 *   the truncated exponential mechanism; "crowd": with a fixed probability a near word, otherwise any output word
 * @property {number} [epsilon] finite, 0 or more; per differing bit for "brr" and "tem", per word for "crowd"
 * @property {CrowdSize} [crowdSize] for "crowd": how many near words a word may become
 * @property {number} [beta] for "tem": the probability of a word beyond the truncation distance, strictly between 0 and
 *   1; 0.001 by default
 * @property {OovPolicy} [oov] how to treat a token outside the vocabulary: "random" (the default) replaces it with
 *   noise, "drop" leaves it out, "mask" replaces it with `mask`, "error" refuses the text, "verbatim-unsafe" passes it
 *   through as typed, with NO privacy and an infinite cost
 * @property {PunctuationPolicy} [punctuation] "drop" (the default), or "privatize" to treat it like words
 * @property {string} [mask] 1 to 64 bytes in UTF-8; "[unk]" by default
 * @property {Uint8Array} [deviceKey] 32 secret bytes of this device, for memoized noise: within an epoch a word always
 *   becomes the same word. It is copied. Anyone who has the key can undo the noise
 * @property {number | bigint} [epoch] 0 to 2^64 - 1, with a device key: another gives other noise; 0 by default
 * @property {boolean} [allowUnchanged] whether to use an epsilon that leaves more than about half of the words as they
 *   were typed, which is refused otherwise (docs/privacy.md); false by default
 * @property {import("./budget.js").Budget} [budget] where the cost of every release is spent before the release is
 *   returned
 */

/**
 * What reports are about: output words of the bundle, emoji, words that the bundle lacks, or a list of your own.
 * @typedef {"words" | "emoji" | "new-words" | readonly string[]} Values
 *
 * Every option that is not given has a default.
 * @typedef {object} ReporterOptions
 * @property {Values} [values] "words" by default; a list has 2 to 2^24 values, "none" included
 * @property {number} [epsilon] of a whole text: 0.01 to 16; 2 by default
 * @property {PunctuationPolicy} [punctuation] for words: "drop" (the default), or "privatize" to report punctuation
 *   too
 * @property {boolean} [skinTones] for emoji: whether emoji with skin tones are values of their own; false by default
 * @property {boolean} [none] for a list: whether there is a value for texts that are not on it; false by default
 * @property {readonly string[]} [passOver] for words: words that are never reported; a public list, empty by default
 * @property {Uint8Array} [deviceKey] 32 secret bytes of this device: the same text has the same report within an epoch.
 *   It is copied
 * @property {number | bigint} [epoch] 0 to 2^64 - 1, with a device key: another gives other reports; 0 by default
 * @property {import("./budget.js").Budget} [budget] where the epsilon of every text is spent before its report is
 *   returned
 */

/**
 * Every option that is not given has a default.
 * @typedef {object} EmbedderOptions
 * @property {number} [epsilon] of a whole text: finite, 0 or more; 2 by default
 * @property {PunctuationPolicy} [punctuation] "drop" (the default) leaves it out of the vector, "privatize" counts it
 *   as words
 * @property {Uint8Array} [deviceKey] 32 secret bytes of this device: the same text has the same embedding within an
 *   epoch. It is copied. Anyone who has the key can undo the noise
 * @property {number | bigint} [epoch] 0 to 2^64 - 1, with a device key: another gives other embeddings; 0 by default
 * @property {import("./budget.js").Budget} [budget] where the epsilon of every text is spent before its embedding is
 *   returned
 */

/** @type {Record<Mechanism, number>} */
const MECHANISMS = { brr: 1, tem: 2, crowd: 3 };
/** @type {Record<CrowdSize, number>} */
const CROWD_SIZES = { one: 1, few: 2, many: 3 };
/** @type {Record<OovPolicy, number>} */
const OOV_POLICIES = { random: 0, drop: 1, mask: 2, error: 3, "verbatim-unsafe": 4 };
/** @type {Record<PunctuationPolicy, number>} */
const PUNCTUATION_POLICIES = { drop: 0, privatize: 1 };

/** HUSHBIT_PER_WORD. */
const PER_WORD = 2;
const DEVICE_KEY_BYTES = 32;
/** @type {Record<"words" | "emoji" | "new-words", number>} */
const VALUES = { words: 1, emoji: 2, "new-words": 4 };
const VALUES_LIST = 3;
const SHARED_NAMES = ["epsilon", "punctuation", "deviceKey", "epoch", "budget"];
const REPORTER_NAMES = [...SHARED_NAMES, "values", "skinTones", "none", "passOver"];
const EMBEDDER_NAMES = SHARED_NAMES;
const NAMES = [...SHARED_NAMES, "mechanism", "crowdSize", "beta", "oov", "mask", "allowUnchanged"];

/**
 * @param {string} what
 * @param {unknown} value
 * @param {string} wanted
 */
function invalid(what, value, wanted) {
  return new HushbitError("INVALID_ARGUMENT", `${what} is ${String(value)}; it must be ${wanted}`);
}

/**
 * The number of a name, or undefined if the name is undefined.
 * @param {Record<string, number>} numbers
 * @param {string} what
 * @param {string | undefined} name
 */
function numberOf(numbers, what, name) {
  if (name === undefined) return undefined;
  if (!Object.hasOwn(numbers, name)) throw invalid(what, name, `one of: ${Object.keys(numbers).join(", ")}`);
  return numbers[name];
}

/**
 * The name of a number.
 * @template {string} Name
 * @param {Record<Name, number>} numbers
 * @param {number} value
 * @returns {Name | undefined}
 */
function nameOf(numbers, value) {
  return /** @type {Name[]} */ (Object.keys(numbers)).find((name) => numbers[name] === value);
}

/**
 * The name of a mechanism, by its number in a bundle.
 * @param {number} value
 */
export function mechanismOf(value) {
  const name = nameOf(MECHANISMS, value);
  if (name !== undefined) return name;
  throw new HushbitError("UNSUPPORTED_BUNDLE", `the bundle's mechanism ${value} is unknown to this version of Hushbit`);
}

/**
 * The unit of an epsilon, by a hushbit_epsilon_unit.
 * @param {number} value
 * @returns {"bit" | "word"}
 */
export function epsilonUnitOf(value) {
  return value === PER_WORD ? "word" : "bit";
}

/** @param {number} value */
export function crowdSizeOf(value) {
  return nameOf(CROWD_SIZES, value);
}

/**
 * Checks options and converts names to numbers.
 * @param {PrivatizerOptions} options
 * @param {import("./bundle.js").BundleInfo} info
 */
export function readOptions(options, info) {
  const { epsilon, ...shared } = readShared(options, NAMES);
  const { allowUnchanged = false } = options;
  if (typeof allowUnchanged !== "boolean") throw invalid("allowUnchanged", allowUnchanged, "true or false");
  return {
    mechanism: numberOf(MECHANISMS, "mechanism", options.mechanism),
    epsilon: epsilon ?? defaultEpsilon(options.mechanism, info),
    beta: options.beta,
    oov: numberOf(OOV_POLICIES, "oov", options.oov),
    crowd_size: numberOf(CROWD_SIZES, "crowdSize", options.crowdSize),
    mask: options.mask,
    allow_unchanged: allowUnchanged ? 1 : 0,
    ...shared,
  };
}

/**
 * Checks the options of a reporter, and converts names to numbers.
 * @param {ReporterOptions} options
 */
export function readReporterOptions(options) {
  const { values = "words", skinTones, none, passOver = [] } = options;
  const isList = typeof values !== "string";
  return {
    ...readShared(/** @type {any} */ (options), REPORTER_NAMES),
    values: isList ? VALUES_LIST : numberOf(VALUES, "values", values),
    skin_tones: skinTones === undefined ? undefined : Number(skinTones),
    none: none === undefined ? undefined : Number(none),
    list: isList ? lines("values", values) : "",
    passOver: lines("passOver", passOver),
  };
}

/**
 * A list as the core reads it.
 * @param {string} what
 * @param {readonly string[]} list
 */
function lines(what, list) {
  if (Array.isArray(list) && list.every((line) => typeof line === "string" && !line.includes("\n"))) {
    return list.join("\n");
  }
  throw new HushbitError("INVALID_ARGUMENT", `${what} must be an array of strings, each without a line break`);
}

/**
 * Checks the options of an embedder, and converts names to numbers.
 * @param {EmbedderOptions} options
 */
export function readEmbedderOptions(options) {
  return readShared(options, EMBEDDER_NAMES);
}

/**
 * Checks the options that privatizers and embedders share, and that there are no others than those of `names`.
 * @param {EmbedderOptions & Record<string, unknown>} options
 * @param {readonly string[]} names
 */
function readShared(options, names) {
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw new HushbitError("INVALID_ARGUMENT", `there is no option ${name}`);
  }
  const { epsilon, deviceKey, epoch = 0 } = options;
  if (epsilon !== undefined && !(typeof epsilon === "number" && epsilon >= 0 && epsilon < Infinity)) {
    throw invalid("epsilon", epsilon, "a finite number, 0 or more");
  }
  if (deviceKey !== undefined && !(deviceKey instanceof Uint8Array && deviceKey.length === DEVICE_KEY_BYTES)) {
    throw new HushbitError("INVALID_ARGUMENT", `the device key must be a Uint8Array of ${DEVICE_KEY_BYTES} bytes`);
  }
  if (!(typeof epoch === "bigint" || Number.isSafeInteger(epoch)) || epoch < 0 || epoch >= 2n ** 64n) {
    throw invalid("epoch", epoch, "an integer, 0 to 2^64 - 1");
  }
  const punctuation = numberOf(PUNCTUATION_POLICIES, "punctuation", options.punctuation);
  return { epsilon, punctuation, epoch, deviceKey };
}

/**
 * The bundle's epsilon for a mechanism.
 * @param {Mechanism | undefined} mechanism
 * @param {import("./bundle.js").BundleInfo} info
 */
function defaultEpsilon(mechanism, info) {
  if (mechanism === undefined || mechanism === info.defaultMechanism) return info.defaultEpsilon;
  const epsilon = { brr: info.defaultEpsilonBrr, tem: info.defaultEpsilonTem, crowd: 0 }[mechanism];
  if (epsilon > 0) return epsilon;
  const what = `the bundle's epsilon is meant for ${info.defaultMechanism}`;
  throw new HushbitError("INVALID_ARGUMENT", `${what}; give an epsilon for ${mechanism}`);
}
