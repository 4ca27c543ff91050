// A bundle in a separate worker, so that long texts do not block the page.

import { spendForText } from "./embedder.js";
import { HushbitError } from "./errors.js";
import { spendFor } from "./privatizer.js";
import { readBytes } from "./source.js";

/** A bundle that is open in a worker. `loadInWorker` creates it. */
export class RemoteBundle {
  #calls;

  /**
   * The contents of the header.
   * @readonly
   * @type {import("./bundle.js").BundleInfo}
   */
  info;

  /**
   * Internal: use `loadInWorker`.
   * @param {Calls} calls
   * @param {import("./bundle.js").BundleInfo} info
   */
  constructor(calls, info) {
    this.#calls = calls;
    this.info = info;
  }

  /**
   * The same as `Bundle.privatizer`.
   * @param {import("./options.js").PrivatizerOptions} [options]
   * @returns {Promise<RemotePrivatizer>}
   */
  async privatizer({ budget, ...options } = {}) {
    const { id, answer } = this.#calls.start({ method: "privatizer", options });
    return new RemotePrivatizer(this.#calls, id, await answer, budget);
  }

  /**
   * The same as `Bundle.embedder`.
   * @param {import("./options.js").EmbedderOptions} [options]
   * @returns {Promise<RemoteEmbedder>}
   */
  async embedder({ budget, ...options } = {}) {
    const { id, answer } = this.#calls.start({ method: "embedder", options });
    return new RemoteEmbedder(this.#calls, id, await answer, budget);
  }

  /**
   * The same as `Bundle.reporter`.
   * @param {import("./options.js").ReporterOptions} [options]
   * @returns {Promise<RemoteReporter>}
   */
  async reporter({ budget, ...options } = {}) {
    const { id, answer } = this.#calls.start({ method: "reporter", options });
    return new RemoteReporter(this.#calls, id, await answer, budget);
  }

  /** Terminates the worker and everything in it. Calls in progress reject. */
  dispose() {
    this.#calls.end();
  }

  [Symbol.dispose]() {
    this.dispose();
  }
}

/**
 * What was made of a bundle in a worker.
 * @template Info
 */
class RemoteUser {
  #calls;
  #id;

  /**
   * Where the page spends, if there is one.
   * @protected
   * @readonly
   */
  budget;

  /**
   * Its promises.
   * @readonly
   * @type {Info}
   */
  info;

  /**
   * Internal: use the methods of `RemoteBundle`.
   * @param {Calls} calls
   * @param {number} id
   * @param {Info} info
   * @param {import("./budget.js").Budget | undefined} budget
   */
  constructor(calls, id, info, budget) {
    this.#calls = calls;
    this.#id = id;
    this.info = info;
    this.budget = budget;
  }

  /** Wipes it. Later calls reject. */
  dispose() {
    this.ask({ method: "dispose" }).catch(() => {}); // it may be disposed already
  }

  [Symbol.dispose]() {
    this.dispose();
  }

  /**
   * Asks the worker for something of it.
   * @protected
   * @param {Record<string, unknown>} request
   * @returns {Promise<any>}
   */
  ask(request) {
    return this.#calls.start({ ...request, user: this.#id }).answer;
  }
}

/**
 * A privatizer in a worker.
 * @augments {RemoteUser<import("./privatizer.js").PrivatizerInfo>}
 */
export class RemotePrivatizer extends RemoteUser {
  /**
   * The same as `Privatizer.privatize`. The page spends the budget before anything is returned.
   * @param {string} text
   * @returns {Promise<import("./result.js").PrivatizedText>}
   */
  async privatize(text) {
    const released = await this.ask({ method: "privatize", text });
    await spendFor(this.budget, released);
    return released;
  }

  /**
   * The same as `Privatizer.tokenize`.
   * @param {string} text
   * @returns {Promise<import("./result.js").Token[]>}
   */
  tokenize(text) {
    return this.ask({ method: "tokenize", text });
  }
}

/**
 * An embedder in a worker.
 * @augments {RemoteUser<import("./embedder.js").EmbedderInfo>}
 */
export class RemoteEmbedder extends RemoteUser {
  /**
   * The same as `Embedder.embed`. The page spends the budget before anything is returned.
   * @param {string} text
   * @returns {Promise<import("./embedder.js").Embedding>}
   */
  async embed(text) {
    const embedding = await this.ask({ method: "embed", text });
    await spendForText(this.budget, embedding.epsilon);
    return embedding;
  }

  /**
   * The same as `Embedder.nearestWords`.
   * @param {ArrayLike<number>} direction
   * @param {number} [count]
   * @returns {Promise<import("./embedder.js").NearWord[]>}
   */
  nearestWords(direction, count) {
    return this.ask({ method: "nearestWords", direction, count });
  }
}

/**
 * A reporter in a worker.
 * @augments {RemoteUser<import("./reporter.js").ReporterInfo>}
 */
export class RemoteReporter extends RemoteUser {
  /**
   * The same as `Reporter.report`. The page spends the budget before anything is returned.
   * @param {string} text
   * @returns {Promise<import("./reporter.js").Report>}
   */
  report(text) {
    return this.#release({ method: "report", text });
  }

  /**
   * The same as `Reporter.reportWord`.
   * @param {string} text
   * @returns {Promise<import("./reporter.js").Report>}
   */
  reportWord(text) {
    return this.#release({ method: "reportWord", text });
  }

  /**
   * The same as `Reporter.reportValue`.
   * @param {number} value
   * @returns {Promise<import("./reporter.js").Report>}
   */
  reportValue(value) {
    return this.#release({ method: "reportValue", value });
  }

  /** @param {Record<string, unknown>} request */
  async #release(request) {
    const report = await this.ask(request);
    await spendForText(this.budget, this.info.effectiveEpsilon);
    return report;
  }
}

/** @typedef {import("./source.js").Download["onProgress"]} Watch */

/** Requests to a worker, and the promises of their answers. */
class Calls {
  #worker;
  #last = 0;
  /** @type {HushbitError | undefined} */
  #ended;
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: unknown) => void, onProgress: Watch }>} */
  #waiting = new Map();

  /** @param {Worker} worker */
  constructor(worker) {
    this.#worker = worker;
    worker.addEventListener("message", ({ data: { id, value, failure, progress } }) => {
      const caller = this.#waiting.get(id);
      if (progress !== undefined) return caller?.onProgress?.(progress);
      this.#waiting.delete(id);
      if (failure === undefined) caller?.resolve(value);
      else caller?.reject(new HushbitError(failure.status, failure.message, failure.position));
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.end(
        new HushbitError("READ_FAILED", "the worker could not be started: worker.js is missing, or not allowed"),
      );
    });
  }

  /**
   * @param {Record<string, unknown>} request
   * @param {Watch} [onProgress]
   * @returns {{ id: number, answer: Promise<any> }}
   */
  start(request, onProgress) {
    this.#last += 1;
    const id = this.#last;
    if (this.#ended !== undefined) return { id, answer: Promise.reject(this.#ended) };
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, onProgress }));
    this.#worker.postMessage({ ...request, id });
    return { id, answer };
  }

  /** @param {HushbitError} [why] */
  end(why = new HushbitError("INVALID_ARGUMENT", "this bundle is disposed; load it again")) {
    this.#ended ??= why;
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(why);
    this.#waiting.clear();
  }
}

/**
 * The same as `load`, in a separate module worker. In Node use `load` in a worker thread instead.
 * `worker` is a worker of your own whose module imports `hushbit/worker`, where a bundler cannot make one.
 * @param {import("./source.js").BundleSource} [source]
 * @param {{ worker?: Worker } & import("./load.js").Wasm & import("./source.js").Download} [options]
 * @returns {Promise<RemoteBundle>}
 */
export async function loadInWorker(source, { worker, wasm, cache, onProgress } = {}) {
  if (worker === undefined && globalThis.Worker === undefined) {
    throw new HushbitError("READ_FAILED", "there are no workers here: use load, in Node within a worker thread");
  }
  const calls = new Calls(worker ?? new Worker(new URL("./worker.js", import.meta.url), { type: "module" }));
  try {
    const where = { source: await portable(source), wasm: await portable(wasm) };
    const request = { method: "load", ...where, cache, watched: onProgress !== undefined };
    const info = await calls.start(request, onProgress).answer;
    return new RemoteBundle(calls, info);
  } catch (error) {
    calls.end();
    throw error;
  }
}

/**
 * Converts a source so that it can be sent to a worker, which has a different base for URLs.
 * @param {import("./source.js").BundleSource | WebAssembly.Module | undefined} source
 */
async function portable(source) {
  if (typeof source === "string" || source instanceof URL) return new URL(source, globalThis.document?.baseURI).href;
  return globalThis.Response !== undefined && source instanceof Response ? readBytes(source) : source;
}
