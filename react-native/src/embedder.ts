// What a whole text is about, and classifiers that were learned from embeddings of many.

import { type Bundle } from "./bundle";
import { Handle } from "./handle";
import { type NativeClassifier, type NativeEmbedder, promises } from "./native";
import type * as types from "./types";

/** Embeds texts, or vectors of your own. `Bundle.embedder` and `openProjection` create it. */
export class Embedder extends Handle<NativeEmbedder> {
  /** Its promises. Stays readable after `dispose`. */
  readonly info: types.EmbedderInfo;
  readonly #bundle: Bundle | undefined;

  constructor(made: NativeEmbedder, bundle?: Bundle) {
    super(made);
    this.info = promises<types.EmbedderInfo>(made.info);
    this.#bundle = bundle;
  }

  /**
   * Embeds a text of any length, also an empty one. With a budget, epsilon is spent first. After a failure nothing was
   * released.
   */
  async embed(text: string): Promise<types.Embedding> {
    return embedding(this.native.embed(text));
  }

  /** Embeds a vector of a whole text, `info.inputNumbers` numbers, such as a sentence encoder's, in the same way. */
  async embedVector(vector: ArrayLike<number>): Promise<types.Embedding> {
    return embedding(this.native.embedVector(Array.from(vector)));
  }

  /**
   * Opens the weights of a classifier that was learned from embeddings of the same bundle or projection.
   * @param weights JSON
   */
  classifier(weights: string): Classifier {
    return this.adopt(new Classifier(this.native.classifier(weights)));
  }

  /**
   * The output words whose vectors point most along a direction, the nearest first: an embedding's, or the mean of
   * many. They depend on the direction alone, so they tell nothing more than it.
   * @param direction `info.dimensions` finite numbers
   * @param count 1 to the number of output words
   */
  nearestWords(direction: ArrayLike<number>, count = 10): types.NearWord[] {
    const near = this.native.nearestWords(Array.from(direction), count);
    return near.map((one) => ({ ...one, word: this.#bundle?.word(one.wordId) ?? "" }));
  }
}

const embedding = ({ direction, ...rest }: ReturnType<NativeEmbedder["embed"]>): types.Embedding => ({
  ...rest,
  direction: Int8Array.from(direction),
});

/**
 * Tells the class of texts as typed. `Embedder.classifier` creates it. Nothing is released and nothing is spent. What
 * it says tells much about the text: it is for the app's own use, and must not be sent.
 */
export class Classifier extends Handle<NativeClassifier> {
  /** The names of the classes. Stays readable after `dispose`. */
  readonly classes: string[];

  constructor(made: NativeClassifier) {
    super(made);
    this.classes = made.info;
  }

  /** The class of a text. */
  classify(text: string): types.Classified {
    return this.#classified(this.native.classify(text));
  }

  /** The class of a vector of your own, as in `Embedder.embedVector`. */
  classifyVector(vector: ArrayLike<number>): types.Classified {
    return this.#classified(this.native.classifyVector(Array.from(vector)));
  }

  #classified({ best, logOdds }: ReturnType<NativeClassifier["classify"]>): types.Classified {
    const shares = logOdds.map((value) => Math.exp(value - logOdds[best]));
    const sum = shares.reduce((total, share) => total + share, 0);
    return { name: this.classes[best], probabilities: shares.map((share) => share / sum) };
  }
}
