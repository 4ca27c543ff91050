// The core in WebAssembly: one instance, its memory, its randomness, and how its functions are called.

import { HushbitError, STATUSES, platform } from "./errors.js";
import { readStruct } from "./structs.js";

/** The maximum for one call of getRandomValues. */
const RANDOM_BLOCK = 65536;

// Captured when this file is loaded, so that a later replacement by the page has no effect.
const crypto = globalThis.crypto;
const getRandomValues = typeof crypto?.getRandomValues === "function" ? crypto.getRandomValues.bind(crypto) : undefined;

/** Size and fields of hushbit_error: u32 status, u64 position, 240 bytes of message. */
const ERROR = { size: 256, position: 8, message: 16, messageBytes: 240 };

/**
 * Fills memory with random bytes, or returns false. Tests pass their own function.
 * @typedef {(bytes: Uint8Array<ArrayBuffer>) => boolean} Random
 */

/** @type {Random} */
export function systemRandom(bytes) {
  if (getRandomValues === undefined) return false;
  for (let at = 0; at < bytes.length; at += RANDOM_BLOCK) getRandomValues(bytes.subarray(at, at + RANDOM_BLOCK));
  return true;
}

/** One instance of the core, with its own memory. */
export class Core {
  /** @type {Record<string, any>} */
  #exports;
  /** @type {WebAssembly.Memory} */
  #memory;
  #encoder = new (platform("TextEncoder"))();
  #decoder = new (platform("TextDecoder"))();
  #errorAt = 0;

  /**
   * @param {WebAssembly.Module} module the compiled hushbit.wasm
   * @param {Random} [random]
   * @returns {Promise<Core>}
   */
  static async instantiate(module, random = systemRandom) {
    const core = new Core();
    const imports = {
      env: {
        hushbit_random: (/** @type {number} */ at, /** @type {number} */ size) => core.#fill(random, at, size),
        emscripten_notify_memory_growth: () => {},
      },
      // Only budgets in files and audit logs need a clock, and WebAssembly has neither.
      wasi_snapshot_preview1: { clock_time_get: () => 52 },
    };
    const instance = await WebAssembly.instantiate(module, imports);
    core.#exports = instance.exports;
    core.#memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
    core.#exports._initialize();
    core.#errorAt = core.allocate(ERROR.size);
    return core;
  }

  /** @private use instantiate */
  constructor() {
    this.#exports = {};
    this.#memory = /** @type {any} */ (undefined);
  }

  /** Bytes of memory that the instance has. It grows with what is loaded and typed, and is freed as a whole. */
  get memoryBytes() {
    return this.#memory.buffer.byteLength;
  }

  /** The memory as bytes, until something is allocated. @returns {Uint8Array<ArrayBuffer>} */
  get bytes() {
    return new Uint8Array(/** @type {ArrayBuffer} */ (this.#memory.buffer));
  }

  /** The memory as numbers, until something is allocated. */
  get view() {
    return new DataView(this.#memory.buffer);
  }

  /**
   * Memory of the core, aligned to 8 bytes.
   * @param {number} size
   */
  allocate(size) {
    const at = this.#exports.malloc(Math.max(size, 1)) >>> 0;
    if (at === 0) throw new HushbitError("OUT_OF_MEMORY", `out of memory: ${size} bytes were requested`);
    return at;
  }

  /**
   * Lends memory to `use`, and wipes it afterwards, also after a failure.
   * @template Value
   * @param {number} size
   * @param {(at: number) => Value} use
   * @returns {Value}
   */
  borrow(size, use) {
    const at = this.allocate(size);
    try {
      this.bytes.fill(0, at, at + size);
      return use(at);
    } finally {
      this.bytes.fill(0, at, at + size);
      this.#exports.free(at);
    }
  }

  /**
   * Lends a text as UTF-8. Lone surrogates become U+FFFD, as in TextEncoder.
   * @template Value
   * @param {string} text
   * @param {(at: number, size: number) => Value} use
   * @returns {Value}
   */
  borrowText(text, use) {
    return this.borrow(3 * text.length, (at) => {
      const { written } = this.#encoder.encodeInto(text, this.bytes.subarray(at, at + 3 * text.length));
      return use(at, written);
    });
  }

  /**
   * Lends numbers of 32 bits.
   * @template Value
   * @param {ArrayLike<number>} numbers
   * @param {(at: number) => Value} use
   * @returns {Value}
   */
  borrowFloats(numbers, use) {
    return this.borrow(4 * numbers.length, (at) => {
      const { view } = this;
      for (let i = 0; i < numbers.length; ++i) view.setFloat32(at + 4 * i, numbers[i], true);
      return use(at);
    });
  }

  /**
   * @param {number} at
   * @param {number} size
   */
  readText(at, size) {
    return this.#decoder.decode(this.bytes.subarray(at, at + size));
  }

  /**
   * Calls a function that cannot fail.
   * @param {string} name without `hushbit_`
   * @param {...(number | bigint)} values
   * @returns {any}
   */
  call(name, ...values) {
    return this.#exports[`hushbit_${name}`](...values);
  }

  /**
   * Calls a function whose last parameter is a hushbit_error, and throws the error.
   * @param {string} name without `hushbit_`
   * @param {...(number | bigint)} values all arguments except the last
   */
  check(name, ...values) {
    const status = this.call(name, ...values, this.#errorAt);
    if (status !== 0) throw this.#error(status);
  }

  /**
   * Reads a struct of an object.
   * @template {Record<string, import("./structs.js").FieldType>} Fields
   * @param {string} name of the function, without `hushbit_`
   * @param {number} handle of the object
   * @param {import("./structs.js").Struct<Fields>} struct
   */
  readStruct(name, handle, struct) {
    return this.borrow(struct.size, (at) => {
      this.view.setBigUint64(at, BigInt(struct.size), true);
      this.check(name, handle, at);
      return readStruct(struct, this.view, at);
    });
  }

  /**
   * Calls a function that creates an object.
   * @param {string} name without `hushbit_`
   * @param {...(number | bigint)} values the arguments before the pointer to the object
   * @returns {number} the object
   */
  create(name, ...values) {
    return this.borrow(4, (out) => {
      this.check(name, ...values, out);
      return this.view.getUint32(out, true);
    });
  }

  /** @param {number} status */
  #error(status) {
    const text = this.bytes.subarray(this.#errorAt + ERROR.message, this.#errorAt + ERROR.message + ERROR.messageBytes);
    const message = this.#decoder.decode(text.subarray(0, text.indexOf(0)));
    const name = /** @type {import("./errors.js").Status} */ (STATUSES[status] ?? "INVALID_ARGUMENT");
    return new HushbitError(name, message, Number(this.view.getBigUint64(this.#errorAt + ERROR.position, true)));
  }

  /**
   * @param {Random} random
   * @param {number} at
   * @param {number} size
   */
  #fill(random, at, size) {
    try {
      return random(this.bytes.subarray(at >>> 0, (at >>> 0) + (size >>> 0))) ? 1 : 0;
    } catch {
      return 0;
    }
  }
}
