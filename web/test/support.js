// What tests share: the golden vectors, and the core with randomness that a test gives.

import { createCipheriv } from "node:crypto";
import { readFileSync } from "node:fs";
import { Core } from "../src/core.js";
import { openBundle } from "../src/load.js";

export const VECTORS = new URL("../../tests/vectors/", import.meta.url);
export const module = new WebAssembly.Module(readFileSync(new URL("../src/hushbit.wasm", import.meta.url)));

export const exportedNames = WebAssembly.Module.exports(module).map(({ name }) => name);

/** @param {string} name */
export const readVector = (name) => new Uint8Array(readFileSync(new URL(name, VECTORS)));

/** @param {string} name */
export const readJson = (name) => JSON.parse(readFileSync(new URL(name, VECTORS), "utf8"));

/** @param {string} hex */
export const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));

/** A source of randomness to set before each call. */
export class GivenRandomness {
  /** @type {(size: number) => Uint8Array | undefined} */
  #draw = () => undefined;

  fill = (/** @type {Uint8Array} */ bytes) => {
    const drawn = this.#draw(bytes.length);
    if (drawn === undefined) return false;
    bytes.set(drawn);
    return true;
  };

  /** Fails as often as it is asked. */
  fail() {
    this.#draw = () => undefined;
  }

  /**
   * The ChaCha20 keystream of a seed, from its beginning.
   * @param {Uint8Array} seed
   */
  seed(seed) {
    const cipher = createCipheriv("chacha20", seed, new Uint8Array(16));
    this.#draw = (size) => cipher.update(new Uint8Array(size));
  }

  /**
   * These bytes, and then failure. The answer counts what is left.
   * @param {Uint8Array} bytes
   */
  stream(bytes) {
    let left = bytes;
    this.#draw = (size) => {
      if (size > left.length) return undefined;
      const drawn = left.subarray(0, size);
      left = left.subarray(size);
      return drawn;
    };
    return () => left.length;
  }
}

/**
 * A bundle of the golden vectors, and its randomness.
 * @param {Uint8Array | string} source bytes, or a name
 */
export async function openGiven(source) {
  const random = new GivenRandomness();
  const core = await Core.instantiate(module, random.fill);
  const bundle = openBundle(core, typeof source === "string" ? readVector(source) : source);
  return { bundle, random };
}

/** A store in memory that counts, and can fail. */
export class MemoryStore {
  /** @type {Map<string, Uint8Array>} */
  values = new Map();
  /** @type {Error | undefined} */
  failure;

  /** @type {import("../src/store.js").Store["update"]} */
  async update(name, change) {
    if (this.failure !== undefined) throw this.failure;
    const changed = change(this.values.get(name));
    if (changed !== undefined) this.values.set(name, changed);
  }
}
