// What a whole text is about, released as one public direction.

import { Classifier } from "./classifier.js";
import { loadCore } from "./compile.js";
import { HushbitError } from "./errors.js";
import { readEmbedderOptions } from "./options.js";
import { readBytes } from "./source.js";
import { EMBEDDER_INFO, EMBEDDER_OPTIONS, EMBEDDING } from "./layouts.js";
import { readStruct, writeStruct } from "./structs.js";

/**
 * The promises of an embedder.
 * @typedef {object} EmbedderInfo
 * @property {number} requestedEpsilon
 * @property {number} effectiveEpsilon of a whole text: the epsilon that actually holds, never above the requested one
 * @property {boolean} clamped whether the epsilon was above what the integers can express, and was lowered
 * @property {boolean} memoized whether an equal text has an equal embedding within an epoch
 * @property {number} dimensions of a direction
 * @property {number} directions how many directions there are
 * @property {number} crowdDirections how many of them are in the crowd of a text
 * @property {bigint} crowdThreshold the probability of a direction from the crowd, times 2^64
 * @property {number} crowdProbability the same
 * @property {bigint} seed of the directions, which are public
 * @property {number} inputNumbers of a vector for `embedVector`; 0 if it embeds texts
 * @property {string} hash hexadecimal; identifies the bundle, or the projection
 */

/**
 * What may be sent of a text. For any two texts, of any length, it is released with probabilities that differ by a
 * factor of at most e^epsilon.
 * @typedef {object} Embedding
 * @property {number} index of the direction
 * @property {Int8Array} direction its numbers, each 1 or -1
 * @property {number} epsilon of the whole text
 */

/**
 * An output word near to a direction, for people to look at.
 * @typedef {object} NearWord
 * @property {number} wordId
 * @property {string} word
 * @property {number} cosine -1 to 1
 */

/** Embeds texts, or vectors of your own. `Bundle.embedder` and `openProjection` create it. */
export class Embedder {
  /** @type {import("./core.js").Core | undefined} */
  #core;
  #handle = 0;
  #scratch = 0;
  #budget;
  #bundle;
  #forget;
  /** @type {Set<Classifier>} */
  #classifiers = new Set();

  /**
   * Its promises. Stays readable after `dispose`.
   * @readonly
   * @type {EmbedderInfo}
   */
  info;

  /**
   * For `Bundle.embedder` and `openProjection`.
   * @param {import("./core.js").Core} core
   * @param {import("./bundle.js").Bundle | undefined} bundle whose words `nearestWords` spells
   * @param {(options: number) => number} make creates the embedder with native options
   * @param {import("./options.js").EmbedderOptions} options
   * @param {() => void} [forget] called when it is disposed
   */
  constructor(core, bundle, make, options, forget = () => {}) {
    this.#bundle = bundle;
    this.#budget = options.budget;
    this.#forget = forget;
    this.#handle = create(core, make, readEmbedderOptions(options));
    this.#scratch = core.create("result_create");
    this.#core = core;
    this.info = readInfo(core.readStruct("embedder_get_info", this.#handle, EMBEDDER_INFO));
  }

  /** Whether `dispose` was called. */
  get disposed() {
    return this.#core === undefined;
  }

  /**
   * Embeds a text of any length, also an empty one, with fresh randomness, or with memoized randomness if there is a
   * device key. With a budget, epsilon is spent before anything is returned. After a failure nothing was released.
   * @param {string} text lone surrogates are treated as U+FFFD
   * @returns {Promise<Embedding>}
   */
  async embed(text) {
    const core = this.#open();
    if (typeof text !== "string") throw new HushbitError("INVALID_ARGUMENT", "the text is not a string");
    return this.#spent(
      this.#draw(core, (out) =>
        core.borrowText(text, (at, size) => core.check("embed", this.#handle, at, size, this.#scratch, out)),
      ),
    );
  }

  /**
   * Embeds a vector of a whole text, such as a sentence encoder's, in the same way.
   * @param {ArrayLike<number>} vector `info.inputNumbers` finite numbers
   * @returns {Promise<Embedding>}
   */
  async embedVector(vector) {
    const core = this.#open();
    return this.#spent(
      this.#draw(core, (out) =>
        core.borrowFloats(vector, (at) =>
          core.check("embed_vector", this.#handle, at, vector.length, this.#scratch, out),
        ),
      ),
    );
  }

  /**
   * Opens the weights of a classifier that was learned from embeddings of the same bundle or projection.
   * @param {string} weights JSON
   * @returns {Classifier}
   */
  classifier(weights) {
    const core = this.#open();
    const classifier = new Classifier(core, this.#handle, weights, () => this.#classifiers.delete(classifier));
    this.#classifiers.add(classifier);
    return classifier;
  }

  /**
   * The output words whose vectors point most along a direction: an embedding's, or the mean of many. They depend on
   * the direction alone, so they tell nothing more than it.
   * @param {ArrayLike<number>} direction `info.dimensions` finite numbers
   * @param {number} [count] how many, 1 to the number of output words; 10 by default
   * @returns {NearWord[]} the nearest first
   */
  nearestWords(direction, count = 10) {
    const core = this.#open();
    const bytes = 8 * direction.length;
    return core
      .borrow(bytes + 12 * count, (at) => {
        for (let i = 0; i < direction.length; ++i) core.view.setFloat64(at + 8 * i, direction[i], true);
        const cosines = at + bytes;
        const ids = cosines + 8 * count;
        core.check("embedder_nearest_words", this.#handle, at, direction.length, count, ids, cosines);
        return Array.from({ length: count }, (_, i) => {
          const wordId = core.view.getUint32(ids + 4 * i, true);
          return { wordId, cosine: core.view.getFloat64(cosines + 8 * i, true) };
        });
      })
      .map((near) => ({ ...near, word: this.#bundle?.word(near.wordId) ?? "" }));
  }

  /** Wipes it and its classifiers, and frees their memory. May be called more than once. */
  dispose() {
    if (this.#core === undefined) return;
    for (const classifier of this.#classifiers) classifier.dispose();
    this.#core.call("result_destroy", this.#scratch);
    this.#core.call("embedder_destroy", this.#handle);
    this.#core = undefined;
    this.#forget();
  }

  [Symbol.dispose]() {
    this.dispose();
  }

  #open() {
    if (this.#core !== undefined) return this.#core;
    throw new HushbitError("INVALID_ARGUMENT", "this embedder is disposed; create another one");
  }

  /** @param {Embedding} embedding */
  async #spent(embedding) {
    await spendForText(this.#budget, embedding.epsilon);
    return embedding;
  }

  /**
   * @param {import("./core.js").Core} core
   * @param {(out: number) => void} fill
   * @returns {Embedding}
   */
  #draw(core, fill) {
    return core.borrow(EMBEDDING.size, (out) => {
      core.view.setBigUint64(out, BigInt(EMBEDDING.size), true);
      fill(out);
      const { index, signs, dimensions, epsilon } = readStruct(EMBEDDING, core.view, out);
      const direction = Int8Array.from({ length: dimensions }, (_, i) => ((signs >> BigInt(i)) & 1n ? 1 : -1));
      return { index, direction, epsilon };
    });
  }
}

/**
 * Creates an embedder for vectors of your own, such as those of a sentence encoder, by a projection file.
 * @param {import("./source.js").BundleSource} source
 * @param {import("./options.js").EmbedderOptions & import("./load.js").Wasm} [options]
 * @returns {Promise<Embedder>}
 */
export async function openProjection(source, { wasm, ...options } = {}) {
  const [core, bytes] = await Promise.all([loadCore(wasm), readBytes(source)]);
  return new Embedder(core, undefined, (at) => createOfProjection(core, bytes, at), options);
}

/**
 * @param {import("./core.js").Core} core
 * @param {Uint8Array} bytes
 * @param {number} options
 */
export function createOfProjection(core, bytes, options) {
  return core.borrow(bytes.length, (at) => {
    core.bytes.set(bytes, at);
    return core.create("embedder_create_from_projection", at, bytes.length, options);
  });
}

/**
 * Spends the epsilon of a whole text before its release is returned.
 * @param {import("./budget.js").Budget | undefined} budget
 * @param {number} epsilon
 */
export async function spendForText(budget, epsilon) {
  await budget?.spendTexts(epsilon, 1);
}

/**
 * @param {import("./core.js").Core} core
 * @param {(options: number) => number} make
 * @param {ReturnType<typeof readEmbedderOptions>} options
 */
function create(core, make, { deviceKey, ...numbers }) {
  return core.borrow(EMBEDDER_OPTIONS.size, (at) => {
    core.view.setBigUint64(at, BigInt(EMBEDDER_OPTIONS.size), true);
    core.check("embedder_options_init", at);
    writeStruct(EMBEDDER_OPTIONS, core.view, at, numbers);
    if (deviceKey === undefined) return make(at);
    return core.borrow(deviceKey.length, (key) => {
      core.bytes.set(deviceKey, key);
      writeStruct(EMBEDDER_OPTIONS, core.view, at, { device_key: key });
      return make(at);
    });
  });
}

/**
 * @param {ReturnType<typeof readStruct<typeof EMBEDDER_INFO.fields>>} info
 * @returns {EmbedderInfo}
 */
function readInfo(info) {
  return {
    requestedEpsilon: info.requested_epsilon,
    effectiveEpsilon: info.effective_epsilon,
    clamped: info.clamped !== 0,
    memoized: info.memoized !== 0,
    dimensions: info.dimensions,
    directions: info.directions,
    crowdDirections: info.crowd_directions,
    crowdThreshold: info.crowd_threshold,
    crowdProbability: info.crowd_probability,
    seed: info.seed,
    inputNumbers: info.input_numbers,
    hash: info.hash,
  };
}
