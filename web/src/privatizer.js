// A mechanism, an epsilon and policies for one bundle.

import { HushbitError } from "./errors.js";
import { crowdSizeOf, epsilonUnitOf, mechanismOf } from "./options.js";
import { readPrivatizedText, readTokens } from "./result.js";
import { CROWD_MEMBER, PRIVATIZER_INFO, PRIVATIZER_OPTIONS } from "./layouts.js";
import { readStruct, writeStruct } from "./structs.js";

/**
 * The promises of a privatizer.
 * @typedef {object} PrivatizerInfo
 * @property {import("./options.js").Mechanism} mechanism
 * @property {number} requestedEpsilon
 * @property {number} effectiveEpsilon the epsilon that actually holds: never above the requested one
 * @property {"bit" | "word"} epsilonUnit the unit of both epsilons
 * @property {number} averagePerToken the cost of distinguishing an average pair of words
 * @property {number} worstCasePerToken the local-DP epsilon of one token
 * @property {boolean} clamped whether the epsilon was above what the integers can express, and was lowered
 * @property {boolean} memoized whether noise repeats within an epoch
 * @property {bigint} flipThreshold for "brr": a bit flips if a uniform 64-bit integer is below this
 * @property {number} flipProbability for "brr"
 * @property {number} gamma for "tem": the truncation distance in bits
 * @property {import("./options.js").CrowdSize | undefined} crowdSize for "crowd": the size of crowds
 * @property {number} crowdProbability for "crowd": the probability of a word from the crowd
 * @property {bigint} crowdThreshold for "crowd": the same, times 2^64
 * @property {number} crowdMass for "crowd": the sum of the shares in a crowd
 * @property {number} outputMass for "crowd": the sum of the weights of all output words
 * @property {number} meanCrowd for "crowd": mean number of words in a crowd
 * @property {number} outputWords number of words that may come out
 * @property {number} publicWords number of words that are released without noise
 */

/**
 * A word of a crowd.
 * @typedef {object} CrowdMember
 * @property {number} wordId
 * @property {number} probability the total probability of this word
 */

/** Makes texts private. `Bundle.privatizer` creates it. */
export class Privatizer {
  /** @type {import("./core.js").Core | undefined} */
  #core;
  #bundle;
  #handle = 0;
  #result = 0;
  #budget;
  #forget;

  /**
   * Its promises. Stays readable after `dispose`.
   * @readonly
   * @type {PrivatizerInfo}
   */
  info;

  /**
   * For `Bundle.privatizer`.
   * @param {import("./core.js").Core} core
   * @param {number} bundle
   * @param {ReturnType<typeof import("./options.js").readOptions>} options
   * @param {import("./budget.js").Budget | undefined} budget
   * @param {() => void} forget called when it is disposed
   */
  constructor(core, bundle, options, budget, forget) {
    this.#bundle = bundle;
    this.#budget = budget;
    this.#forget = forget;
    this.#handle = create(core, bundle, options);
    this.#result = core.create("result_create");
    this.#core = core;
    this.info = readInfo(core.readStruct("privatizer_get_info", this.#handle, PRIVATIZER_INFO));
  }

  /** Whether `dispose` was called. */
  get disposed() {
    return this.#core === undefined;
  }

  /**
   * Privatizes a text with fresh noise, or with memoized noise if there is a device key. With a budget, the cost is
   * spent before anything is returned. If it cannot be spent, nothing is returned. After a failure nothing was
   * released.
   * @param {string} text lone surrogates are treated as U+FFFD
   * @returns {Promise<import("./result.js").PrivatizedText>}
   */
  async privatize(text) {
    const released = this.#draw(text);
    await spendFor(this.#budget, released);
    return released;
  }

  /**
   * The tokens of a text, without releasing anything.
   * @param {string} text
   * @returns {Promise<import("./result.js").Token[]>}
   */
  async tokenize(text) {
    const core = this.#open();
    core.borrowText(text, (at, size) => core.check("tokenize", this.#bundle, at, size, this.#result));
    return readTokens(core, this.#result);
  }

  /**
   * The crowd of a word: the words that it becomes with a higher probability than other words have. Empty unless the
   * mechanism is "crowd". It is for showing people what a release may contain. It depends on the word, so it must not
   * be sent.
   * @param {number} word its id, as in a token
   * @returns {CrowdMember[]} the most likely first
   */
  crowd(word) {
    const core = this.#open();
    if (this.info.mechanism !== "crowd") return [];
    const count = core.borrow(4, (out) => {
      core.check("privatizer_crowd", this.#handle, word, 0, 0, out);
      return core.view.getUint32(out, true);
    });
    const { crowdMass, outputMass, crowdProbability } = this.info;
    return core.borrow(count * CROWD_MEMBER.size + 4, (at) => {
      core.check("privatizer_crowd", this.#handle, word, at, count, at + count * CROWD_MEMBER.size);
      const members = Array.from({ length: count }, (_, i) => {
        const member = readStruct(CROWD_MEMBER, core.view, at + i * CROWD_MEMBER.size);
        const inCrowd = (crowdProbability * member.share) / crowdMass;
        const outside = ((1 - crowdProbability) * member.weight) / outputMass;
        return { wordId: member.word, probability: inCrowd + outside };
      });
      return members.sort((a, b) => b.probability - a.probability);
    });
  }

  /** Wipes it and frees its memory. May be called more than once. */
  dispose() {
    if (this.#core === undefined) return;
    this.#core.call("result_destroy", this.#result);
    this.#core.call("privatizer_destroy", this.#handle);
    this.#core = undefined;
    this.#forget();
  }

  [Symbol.dispose]() {
    this.dispose();
  }

  #open() {
    if (this.#core !== undefined) return this.#core;
    throw new HushbitError("INVALID_ARGUMENT", "this privatizer is disposed; create another one");
  }

  /** @param {string} text */
  #draw(text) {
    const core = this.#open();
    if (typeof text !== "string") throw new HushbitError("INVALID_ARGUMENT", "the text is not a string");
    try {
      core.borrowText(text, (at, size) => core.check("privatize", this.#handle, at, size, this.#result));
      return readPrivatizedText(core, this.#result);
    } catch (error) {
      throw error instanceof HushbitError ? placed(error, text) : error;
    } finally {
      core.call("privatize", 0, 0, 0, this.#result, 0); // it is refused at once, and wipes the contents of the result
    }
  }
}

/**
 * Spends the cost of a release before it is returned.
 * @param {import("./budget.js").Budget | undefined} budget
 * @param {import("./result.js").PrivatizedText} released
 */
export async function spendFor(budget, { cost, tokens }) {
  await budget?.spend(cost.worstCase, tokens.length - cost.dropped - cost.publicWords);
}

/**
 * An error about a token, with its UTF-16 index instead of its byte.
 * @param {HushbitError} error
 * @param {string} text
 */
function placed(error, text) {
  if (error.status !== "UNKNOWN_WORD") return error;
  const before = new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, error.position));
  const what = "is not in the vocabulary, and the policy is error; nothing was released";
  return new HushbitError(error.status, `the token at ${before.length} ${what}`, before.length);
}

/**
 * @param {import("./core.js").Core} core
 * @param {number} bundle
 * @param {ReturnType<typeof import("./options.js").readOptions>} options
 */
function create(core, bundle, { mask, deviceKey, ...numbers }) {
  return core.borrow(PRIVATIZER_OPTIONS.size, (at) => {
    core.view.setBigUint64(at, BigInt(PRIVATIZER_OPTIONS.size), true);
    core.check("privatizer_options_init", bundle, at);
    writeStruct(PRIVATIZER_OPTIONS, core.view, at, numbers);
    const withKey = () => {
      if (deviceKey === undefined) return core.create("privatizer_create", bundle, at);
      return core.borrow(deviceKey.length, (key) => {
        core.bytes.set(deviceKey, key);
        writeStruct(PRIVATIZER_OPTIONS, core.view, at, { device_key: key });
        return core.create("privatizer_create", bundle, at);
      });
    };
    if (mask === undefined) return withKey();
    return core.borrowText(mask, (place, size) => {
      writeStruct(PRIVATIZER_OPTIONS, core.view, at, { mask: place, mask_bytes: size });
      return withKey();
    });
  });
}

/**
 * @param {ReturnType<typeof import("./structs.js").readStruct<typeof PRIVATIZER_INFO.fields>>} info
 * @returns {PrivatizerInfo}
 */
function readInfo(info) {
  return {
    mechanism: mechanismOf(info.mechanism),
    requestedEpsilon: info.requested_epsilon,
    effectiveEpsilon: info.effective_epsilon,
    epsilonUnit: epsilonUnitOf(info.epsilon_unit),
    averagePerToken: info.average_per_token,
    worstCasePerToken: info.worst_case_per_token,
    clamped: info.clamped !== 0,
    memoized: info.memoized !== 0,
    flipThreshold: info.flip_threshold,
    flipProbability: info.flip_probability,
    gamma: info.gamma,
    crowdSize: crowdSizeOf(info.crowd_size),
    crowdProbability: info.crowd_probability,
    crowdThreshold: info.crowd_threshold,
    crowdMass: info.crowd_mass,
    outputMass: info.output_mass,
    meanCrowd: info.mean_crowd,
    outputWords: info.output_words,
    publicWords: info.public_words,
  };
}
