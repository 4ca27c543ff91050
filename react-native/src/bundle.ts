// An open bundle, and what it creates beside embedders.

import { Budget } from "./budget";
import { Embedder } from "./embedder";
import { Handle } from "./handle";
import { type NativeBundle, type NativePrivatizer, type NativeReporter, native, promises } from "./native";
import { toPath } from "./paths";
import type * as types from "./types";

/** Options as they cross to C++, which refuses what it does not know. */
function crossing<Options extends types.Shared>({ epoch, budget, ...rest }: Options) {
  return {
    ...rest,
    epoch: typeof epoch === "bigint" ? String(epoch) : epoch,
    budget: budget instanceof Budget ? budget.native : budget,
  };
}

/** Makes texts private. `Bundle.privatizer` creates it. */
export class Privatizer extends Handle<NativePrivatizer> {
  /** Its promises. Stays readable after `dispose`. */
  readonly info: types.PrivatizerInfo;

  constructor(made: NativePrivatizer) {
    super(made);
    this.info = promises<types.PrivatizerInfo>(made.info);
  }

  /**
   * Privatizes a text with fresh noise, or with memoized noise if there is a device key. With a budget, the cost is
   * spent first. After a failure nothing was released.
   */
  async privatize(text: string): Promise<types.PrivatizedText> {
    return this.native.privatize(text);
  }

  /**
   * The crowd of a word: the words that it becomes with a higher probability than other words have, the most likely
   * first. Empty unless the mechanism is "crowd". It is for showing people what a release may contain. It depends on
   * the word, so it must not be sent.
   * @param word its id, as in a token
   */
  crowd(word: number): types.CrowdMember[] {
    const { mechanism, crowdMass, outputMass, crowdProbability } = this.info;
    if (mechanism !== "crowd") return [];
    return this.native
      .crowd(word)
      .map(({ wordId, share, weight }) => {
        const inCrowd = (crowdProbability * share) / crowdMass;
        return { wordId, probability: inCrowd + ((1 - crowdProbability) * weight) / outputMass };
      })
      .sort((a, b) => b.probability - a.probability);
  }
}

/** Reports on texts. `Bundle.reporter` creates it. */
export class Reporter extends Handle<NativeReporter> {
  /** Its promises. Stays readable after `dispose`. */
  readonly info: types.ReporterInfo;

  constructor(made: NativeReporter) {
    super(made);
    this.info = promises<types.ReporterInfo>(made.info);
  }

  /**
   * Reports one value of a text, drawn at random, or none. Of a list the text is a value as a whole. With a budget,
   * epsilon is spent first. After a failure nothing was released.
   */
  async report(text: string): Promise<types.Report> {
    return this.native.report(text);
  }

  /** The same for a value by its number, 0 to the number of values - 1. */
  async reportValue(value: number): Promise<types.Report> {
    return this.native.reportValue(value);
  }

  /** The same for one word of which you know that it is new, with the values "new-words". */
  async reportWord(word: string): Promise<types.Report> {
    return this.native.reportWord(word);
  }

  /** The spelling of a value, 0 to the number of values - 1; empty for none. */
  value(value: number): string {
    return this.native.value(value);
  }
}

/** An open bundle. `load` creates it. */
export class Bundle extends Handle<NativeBundle> {
  /** The contents of the header. Stays readable after `dispose`. */
  readonly info: types.BundleInfo;

  constructor(made: NativeBundle) {
    super(made);
    this.info = made.info;
  }

  /** The bundle's JSON description of itself: source, license, binarizer, calibration. */
  get meta(): string {
    return this.native.meta();
  }

  /** Creates a privatizer for the bundle. */
  privatizer(options: types.PrivatizerOptions = {}): Privatizer {
    return this.adopt(new Privatizer(this.native.privatizer(crossing(options))));
  }

  /** Creates an embedder for the bundle. Throws INVALID_ARGUMENT if the bundle has no embedding. */
  embedder(options: types.EmbedderOptions = {}): Embedder {
    return this.adopt(new Embedder(this.native.embedder(crossing(options)), this));
  }

  /** Creates a reporter, which releases one report about one value of a whole text. */
  reporter(options: types.ReporterOptions = {}): Reporter {
    return this.adopt(new Reporter(this.native.reporter(crossing(options))));
  }

  /** The tokens of a text, without releasing anything. */
  tokenize(text: string): types.Token[] {
    return this.native.tokenize(text);
  }

  /** The id of a word, or null. The word must be spelled exactly as in the vocabulary. */
  find(word: string): number | null {
    return this.native.find(word);
  }

  /** The word of an id, 0 to the number of words - 1. */
  word(id: number): string {
    return this.native.word(id);
  }

  /** Reads every byte and compares the hashes; throws CORRUPT_BUNDLE with the place. Takes time. */
  verify() {
    this.native.verify();
  }
}

/**
 * Opens a bundle.
 * @param path of a file on the device, or its file: URL; it must stay as it is while the bundle is open
 */
export async function load(path: string): Promise<Bundle> {
  return new Bundle(native().openBundle(toPath(path)));
}

/**
 * Creates an embedder for vectors of your own, such as those of a sentence encoder.
 * @param file the bytes of a projection file, which are copied
 */
export async function openProjection(file: Uint8Array, options: types.EmbedderOptions = {}): Promise<Embedder> {
  return new Embedder(native().openProjection(file, crossing(options)));
}
