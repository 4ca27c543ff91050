// Weights that were learned from many people's embeddings, for texts on the device.

import { HushbitError } from "./errors.js";

/**
 * What a classifier says of a text. It tells much about the text: it is for the page's own use, and must not be sent.
 * @typedef {object} Classified
 * @property {string} name the most likely class
 * @property {number[]} probabilities of all classes, in the order of `classes`
 */

/** Tells the class of texts as typed. `Embedder.classifier` creates it. Nothing is released and nothing is spent. */
export class Classifier {
  /** @type {import("./core.js").Core | undefined} */
  #core;
  #handle = 0;
  #forget;

  /**
   * The names of the classes. Stays readable after `dispose`.
   * @readonly
   * @type {string[]}
   */
  classes;

  /**
   * For `Embedder.classifier`.
   * @param {import("./core.js").Core} core
   * @param {number} embedder
   * @param {string} weights
   * @param {() => void} forget called when it is disposed
   */
  constructor(core, embedder, weights, forget) {
    this.#forget = forget;
    this.#handle = core.borrowText(weights, (at, size) => core.create("classifier_open", embedder, at, size));
    this.#core = core;
    this.classes = Array.from({ length: core.call("classifier_count", this.#handle) }, (_, i) =>
      core.borrow(4, (length) => {
        const at = core.call("classifier_name", this.#handle, i, length);
        return core.readText(at, core.view.getUint32(length, true));
      }),
    );
  }

  /** Whether `dispose` was called. */
  get disposed() {
    return this.#core === undefined;
  }

  /**
   * The class of a text.
   * @param {string} text lone surrogates are treated as U+FFFD
   * @returns {Classified}
   */
  classify(text) {
    const core = this.#open();
    if (typeof text !== "string") throw new HushbitError("INVALID_ARGUMENT", "the text is not a string");
    return this.#classified(core, (best, odds) =>
      core.borrowText(text, (at, size) => core.check("classify", this.#handle, at, size, best, odds)),
    );
  }

  /**
   * The class of a vector of your own, as in `Embedder.embedVector`.
   * @param {ArrayLike<number>} vector
   * @returns {Classified}
   */
  classifyVector(vector) {
    const core = this.#open();
    return this.#classified(core, (best, odds) =>
      core.borrowFloats(vector, (at) => core.check("classify_vector", this.#handle, at, vector.length, best, odds)),
    );
  }

  /** Frees its memory. May be called more than once. */
  dispose() {
    if (this.#core === undefined) return;
    this.#core.call("classifier_close", this.#handle);
    this.#core = undefined;
    this.#forget();
  }

  [Symbol.dispose]() {
    this.dispose();
  }

  #open() {
    if (this.#core !== undefined) return this.#core;
    throw new HushbitError("INVALID_ARGUMENT", "this classifier is disposed; create another one");
  }

  /**
   * @param {import("./core.js").Core} core
   * @param {(best: number, odds: number) => void} fill
   * @returns {Classified}
   */
  #classified(core, fill) {
    const count = this.classes.length;
    return core.borrow(8 * count + 8, (at) => {
      fill(at + 8 * count, at);
      const odds = Array.from({ length: count }, (_, i) => core.view.getFloat64(at + 8 * i, true));
      const best = core.view.getUint32(at + 8 * count, true);
      const shares = odds.map((value) => Math.exp(value - odds[best]));
      const sum = shares.reduce((total, share) => total + share, 0);
      return { name: this.classes[best], probabilities: shares.map((share) => share / sum) };
    });
  }
}
