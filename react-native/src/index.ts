// Hushbit makes text private on the phone, before it leaves the device. See docs/react-native.md.

import { type NativeBundle, type NativeEmbedder, type NativeHandle, type NativePrivatizer, native } from "./native";
import type { NativeReporter } from "./native";
import type * as types from "./types";

export type * from "./types";

class Handle<Info, Native extends NativeHandle<Info>> {
  /** Its promises, or the contents of its header. Stays readable after `dispose`. */
  readonly info: Info;
  protected readonly native: Native;
  readonly #forget: () => void;
  #disposed = false;

  constructor(made: Native, forget: () => void = () => {}) {
    this.native = made;
    this.info = made.info;
    this.#forget = forget;
  }

  /** Whether `dispose` was called. */
  get disposed() {
    return this.#disposed;
  }

  /** Wipes it and frees its memory. May be called more than once. The garbage collector does the same, later. */
  dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    this.native.dispose();
    this.#forget();
  }
}

/** Makes texts private. `Bundle.privatizer` creates it. */
export class Privatizer extends Handle<types.PrivatizerInfo, NativePrivatizer> {
  /**
   * Privatizes a text with fresh noise, or with memoized noise if there is a device key. After a failure nothing was
   * released.
   */
  async privatize(text: string): Promise<types.PrivatizedText> {
    return this.native.privatize(text);
  }
}

/** Embeds texts: what a whole text is about, as one public direction. `Bundle.embedder` creates it. */
export class Embedder extends Handle<types.EmbedderInfo, NativeEmbedder> {
  /** Embeds a text of any length, also an empty one. After a failure nothing was released. */
  async embed(text: string): Promise<types.Embedding> {
    const { direction, ...embedding } = this.native.embed(text);
    return { ...embedding, direction: Int8Array.from(direction) };
  }
}

/** Reports on texts. `Bundle.reporter` creates it. */
export class Reporter extends Handle<types.ReporterInfo, NativeReporter> {
  /** Reports one value of a text, drawn at random, or none. Of a list the text is a value as a whole. */
  async report(text: string): Promise<types.Report> {
    return this.native.report(text);
  }

  /** The same for a value by its number. */
  async reportValue(value: number): Promise<types.Report> {
    return this.native.reportValue(value);
  }

  /** The same for one word of which you know that it is new, with the values "new-words". */
  async reportWord(word: string): Promise<types.Report> {
    return this.native.reportWord(word);
  }

  /** The spelling of a value, 0 to `info.valueCount` - 1; empty for none. */
  value(value: number): string {
    return this.native.value(value);
  }
}

/** An open bundle. `load` creates it. */
export class Bundle extends Handle<types.BundleInfo, NativeBundle> {
  readonly #users = new Set<{ dispose(): void }>();

  /** Creates a privatizer for the bundle. */
  privatizer(options: types.PrivatizerOptions = {}): Privatizer {
    const privatizer: Privatizer = new Privatizer(this.native.privatizer(options), () =>
      this.#users.delete(privatizer),
    );
    this.#users.add(privatizer);
    return privatizer;
  }

  /** Creates an embedder for the bundle. Throws INVALID_ARGUMENT if the bundle has no embedding. */
  embedder(options: types.EmbedderOptions = {}): Embedder {
    const embedder: Embedder = new Embedder(this.native.embedder(options), () => this.#users.delete(embedder));
    this.#users.add(embedder);
    return embedder;
  }

  /** Creates a reporter, which releases one report about one value of a whole text. */
  reporter(options: types.ReporterOptions = {}): Reporter {
    const reporter: Reporter = new Reporter(this.native.reporter(options), () => this.#users.delete(reporter));
    this.#users.add(reporter);
    return reporter;
  }

  /** The tokens of a text, without releasing anything. */
  tokenize(text: string): types.Token[] {
    return this.native.tokenize(text);
  }

  /** The id of a word, or null. The word must be spelled exactly as in the vocabulary. */
  find(word: string): number | null {
    return this.native.find(word);
  }

  /** The word of an id, 0 to `info.words` - 1. */
  word(id: number): string {
    return this.native.word(id);
  }

  /** Reads every byte and compares the hashes; throws CORRUPT_BUNDLE with the place. Takes time. */
  verify() {
    this.native.verify();
  }

  /** Frees the memory, and disposes everything that was created from it. */
  override dispose() {
    for (const user of [...this.#users]) user.dispose();
    super.dispose();
  }
}

/**
 * Opens a bundle.
 * @param path of a file on the device, which must stay as it is while the bundle is open; no URL
 */
export async function load(path: string): Promise<Bundle> {
  return new Bundle(native().openBundle(path));
}

/** Whether a failure is Hushbit's, which has a `status`. */
export function isHushbitError(error: unknown): error is types.HushbitError {
  return error instanceof Error && error.name === "HushbitError";
}
