// Loads the core and a bundle.

import { Bundle } from "./bundle.js";
import { isCompiled, isModule, loadCore } from "./compile.js";
import { HushbitError } from "./errors.js";
import { looksLikeHtml, readBytes, shareProgress } from "./source.js";

/** The built-in English bundle. Bundlers look for this form; see compile.js. */
const english = () => new URL("./english.hushbit", import.meta.url);

/**
 * @typedef {object} Wasm
 * @property {import("./source.js").BundleSource | WebAssembly.Module} [wasm] where hushbit.wasm is, if it is not next
 *   to this file, or its module, as edge servers compile it. What was compiled first stays for the whole page: whoever
 *   loads a bundle with it need not name it again.
 */

/**
 * Opens a bundle, by default the built-in English one. It fetches only that bundle, and hushbit.wasm, which is next to
 * this file.
 * @param {import("./source.js").BundleSource | PromiseLike<import("./source.js").BundleSource>} [source]
 * @param {Wasm & import("./source.js").Download} [options]
 * @returns {Promise<Bundle>}
 */
export async function load(source, { wasm, cache, onProgress } = {}) {
  const files = isCompiled() || isModule(wasm) ? 1 : 2;
  const [ofBundle, ofCore] = onProgress === undefined ? [] : shareProgress(onProgress, files);
  const [core, bytes] = await Promise.all([
    loadCore(wasm, { cache, onProgress: ofCore }),
    readBytes((await source) ?? english(), { cache, onProgress: ofBundle }),
  ]);
  return openBundle(core, bytes);
}

/**
 * @param {import("./core.js").Core} core
 * @param {Uint8Array} bytes
 */
export function openBundle(core, bytes) {
  if (!looksLikeHtml(bytes)) return new Bundle(core, bytes);
  const what = "the server sent a web page, not a bundle: it has no such file, or requires a login; check the URL";
  throw new HushbitError("CORRUPT_BUNDLE", what);
}
