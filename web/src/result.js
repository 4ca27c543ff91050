// The result of a release.

import { epsilonUnitOf } from "./options.js";
import { COST, TOKEN } from "./layouts.js";

/**
 * A token of the text as typed. It is for the page's own use and must not be sent. Offsets count UTF-16 units.
 * @typedef {object} Token
 * @property {"word" | "unknown" | "punctuation"} kind in the vocabulary, or not in it, or without letters, marks and
 *   digits
 * @property {number | null} wordId id of the word as typed, if it is in the vocabulary
 * @property {number} utf16Begin where it begins in the text
 * @property {number} utf16End
 * @property {number} outputBegin where its replacement begins in the released text
 * @property {number} outputEnd equal to `outputBegin` if it was left out
 */

/**
 * The cost of a release. It compares two texts with the same number of tokens, of which the same are left out or passed
 * through.
 * @typedef {object} Cost
 * @property {number} epsilon the epsilon that actually holds
 * @property {"bit" | "word"} epsilonUnit the unit of epsilon
 * @property {number} average sum over tokens of the cost of distinguishing an average pair of words
 * @property {number} worstCase sum over tokens of their worst case: the local-DP epsilon of the text
 * @property {number} words tokens of the vocabulary that got noise
 * @property {number} unknown tokens outside the vocabulary
 * @property {number} dropped tokens left out, including punctuation
 * @property {number} verbatim tokens passed through as typed
 * @property {number} publicWords tokens released without noise because the bundle declares them public
 */

/**
 * A text made private. Only `text` may leave the device.
 * @typedef {object} PrivatizedText
 * @property {string} text
 * @property {Token[]} tokens
 * @property {Cost} cost
 */

const KINDS = /** @type {const} */ (["word", "unknown", "punctuation"]);
const NO_WORD = 0xffffffff;

/**
 * Reads a hushbit_result.
 * @param {import("./core.js").Core} core
 * @param {number} result
 * @returns {PrivatizedText}
 */
export function readPrivatizedText(core, result) {
  return core.borrow(4, (out) => {
    const at = core.call("result_text", result, out);
    const size = core.view.getUint32(out, true);
    const text = core.readText(at, size);
    const bytes = text.length === size ? undefined : core.bytes.subarray(at, at + size);
    return { text, tokens: readTokens(core, result, bytes), cost: readCost(core, result) };
  });
}

/**
 * @param {import("./core.js").Core} core
 * @param {number} result
 * @param {Uint8Array} [output] the released text, if its offsets in bytes differ from those in UTF-16 units
 * @returns {Token[]}
 */
export function readTokens(core, result, output) {
  return core.borrow(4, (out) => {
    const at = core.call("result_tokens", result, out) >>> 0;
    const count = core.view.getUint32(out, true);
    const words = new Uint32Array(core.bytes.buffer, at, (count * TOKEN.size) / 4);
    const place = output === undefined ? (/** @type {number} */ byte) => byte : utf16Places(output);
    /** @type {Token[]} */
    const tokens = new Array(count);
    for (let i = 0; i < count; ++i) tokens[i] = readToken(words, (i * TOKEN.size) / 4, place);
    return tokens;
  });
}

// Offsets are below 2^32 in WebAssembly: the low half of each is enough.
const { kind, word, utf16_begin, utf16_end, output_begin, output_end } = TOKEN.offsets;

/**
 * @param {Uint32Array} words
 * @param {number} at
 * @param {(byte: number) => number} place
 * @returns {Token}
 */
function readToken(words, at, place) {
  const id = words[at + word / 4];
  return {
    kind: KINDS[words[at + kind / 4]],
    wordId: id === NO_WORD ? null : id,
    utf16Begin: words[at + utf16_begin / 4],
    utf16End: words[at + utf16_end / 4],
    outputBegin: place(words[at + output_begin / 4]),
    outputEnd: place(words[at + output_end / 4]),
  };
}

/**
 * Converts offsets in UTF-8 to offsets in UTF-16. The offsets must be passed in ascending order.
 * @param {Uint8Array} bytes
 */
function utf16Places(bytes) {
  let at = 0;
  let units = 0;
  return (/** @type {number} */ byte) => {
    for (; at < byte; ++at) {
      const isContinuation = (bytes[at] & 0xc0) === 0x80;
      units += isContinuation ? 0 : bytes[at] >= 0xf0 ? 2 : 1;
    }
    return units;
  };
}

/**
 * @param {import("./core.js").Core} core
 * @param {number} result
 * @returns {Cost}
 */
function readCost(core, result) {
  const cost = core.readStruct("result_get_cost", result, COST);
  return {
    epsilon: cost.epsilon,
    epsilonUnit: epsilonUnitOf(cost.epsilon_unit),
    average: cost.average,
    worstCase: cost.worst_case,
    words: cost.words,
    unknown: cost.unknown,
    dropped: cost.dropped,
    verbatim: cost.verbatim,
    publicWords: cost.public_words,
  };
}
