// The worker of `loadInWorker`: a bundle and its privatizers, controlled by messages.

import { HushbitError } from "./errors.js";
import { load } from "./load.js";

/**
 * @typedef {{ id: number } & (
 *   { method: "load", source: string | Blob | Uint8Array<ArrayBuffer> | undefined } |
 *   { method: "privatizer", options: import("./options.js").PrivatizerOptions } |
 *   { method: "privatize", privatizer: number, text: string } |
 *   { method: "dispose", privatizer: number })} Request
 */

/** @type {import("./bundle.js").Bundle} */
let bundle;
/** @type {Map<number, import("./privatizer.js").Privatizer>} by the number of the request that created it */
const privatizers = new Map();

/** @param {number} id */
function find(id) {
  const privatizer = privatizers.get(id);
  if (privatizer !== undefined) return privatizer;
  throw new HushbitError("INVALID_ARGUMENT", "this privatizer is disposed; create another one");
}

/** @param {Request} request */
async function answer(request) {
  switch (request.method) {
    case "load":
      bundle = await load(request.source);
      return bundle.info;
    case "privatizer": {
      const privatizer = bundle.privatizer(request.options);
      privatizers.set(request.id, privatizer);
      return privatizer.info;
    }
    case "privatize":
      return find(request.privatizer).privatize(request.text);
    case "dispose":
      find(request.privatizer).dispose();
      privatizers.delete(request.privatizer);
  }
}

addEventListener("message", async ({ data }) => {
  const request = /** @type {Request} */ (data);
  try {
    postMessage({ id: request.id, value: await answer(request) });
  } catch (error) {
    const { status = "IO_ERROR", message, position = 0 } = /** @type {any} */ (error);
    postMessage({ id: request.id, failure: { status, message, position } });
  }
});
