// The worker of `loadInWorker`: a bundle and what is created from it, controlled by messages.

import { HushbitError, platform } from "./errors.js";
import { load } from "./load.js";

/**
 * @typedef {string | Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer> | undefined} Portable a source that can be sent
 * @typedef {{ id: number } & (
 *   { method: "load", source: Portable, wasm: Portable | WebAssembly.Module, cache?: string, watched: boolean } |
 *   { method: "privatizer", options: import("./options.js").PrivatizerOptions } |
 *   { method: "privatize" | "tokenize", user: number, text: string } |
 *   { method: "embedder", options: import("./options.js").EmbedderOptions } |
 *   { method: "embed", user: number, text: string } |
 *   { method: "nearestWords", user: number, direction: ArrayLike<number>, count: number | undefined } |
 *   { method: "reporter", options: import("./options.js").ReporterOptions } |
 *   { method: "report" | "reportWord", user: number, text: string } |
 *   { method: "reportValue", user: number, value: number } |
 *   { method: "dispose", user: number })} Request
 */

/** @type {import("./bundle.js").Bundle} */
let bundle;
/** @typedef {import("./privatizer.js").Privatizer} Privatizer */
/** @typedef {import("./embedder.js").Embedder} Embedder */
/** @typedef {import("./reporter.js").Reporter} Reporter */
/** @type {Map<number, Privatizer | Embedder | Reporter>} by the number of the request that created it */
const users = new Map();

/**
 * @param {number} id
 * @returns {any} what was created: requests name the kind that they asked for
 */
function find(id) {
  const user = users.get(id);
  if (user !== undefined) return user;
  throw new HushbitError("INVALID_ARGUMENT", "this was disposed; create another one");
}

/** @param {Request} request */
async function answer(request) {
  switch (request.method) {
    case "load":
      bundle = await load(request.source, {
        wasm: request.wasm,
        cache: request.cache,
        onProgress: request.watched ? (progress) => postMessage({ id: request.id, progress }) : undefined,
      });
      return bundle.info;
    case "privatizer": {
      const privatizer = bundle.privatizer(request.options);
      users.set(request.id, privatizer);
      return privatizer.info;
    }
    case "embedder": {
      const embedder = bundle.embedder(request.options);
      users.set(request.id, embedder);
      return embedder.info;
    }
    case "embed":
      return find(request.user).embed(request.text);
    case "reporter": {
      const reporter = bundle.reporter(request.options);
      users.set(request.id, reporter);
      return reporter.info;
    }
    case "report":
    case "reportWord":
      return find(request.user)[request.method](request.text);
    case "reportValue":
      return find(request.user).reportValue(request.value);
    case "nearestWords":
      return find(request.user).nearestWords(request.direction, request.count);
    case "privatize":
    case "tokenize":
      return find(request.user)[request.method](request.text);
    case "dispose":
      find(request.user).dispose();
      users.delete(request.user);
  }
}

platform("addEventListener")("message", async ({ data }) => {
  const request = /** @type {Request} */ (data);
  try {
    postMessage({ id: request.id, value: await answer(request) });
  } catch (error) {
    const { status = "READ_FAILED", message, position = 0 } = /** @type {any} */ (error);
    postMessage({ id: request.id, failure: { status, message, position } });
  }
});
