// hushbit.wasm, compiled once, and new instances of it.

import { Core } from "./core.js";
import { HushbitError, platform } from "./errors.js";
import { looksLikeHtml, readBytes } from "./source.js";

// Bundlers look for this form. It is within a function, since some servers have no import.meta.url that is a URL.
const ours = () => new URL("./hushbit.wasm", import.meta.url);

/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;

/** Whether hushbit.wasm was or is being compiled, so that no other is fetched. */
export const isCompiled = () => compiled !== undefined;

/**
 * A new instance of the core, which is compiled once, from the first source that works.
 * @param {import("./source.js").BundleSource | WebAssembly.Module} [wasm]
 * @param {import("./source.js").Download} [download]
 * @returns {Promise<Core>}
 */
export async function loadCore(wasm, download) {
  const isFirst = compiled === undefined;
  const current = (compiled ??= isModule(wasm) ? Promise.resolve(wasm) : compile(wasm, download));
  try {
    return await Core.instantiate(await current);
  } catch (error) {
    if (compiled === current) compiled = undefined; // the next call may succeed
    if (isFirst || wasm === undefined) throw error;
    return loadCore(wasm, download); // it was another call that named no core, or a wrong one
  }
}

/**
 * @param {unknown} wasm
 * @returns {wasm is WebAssembly.Module}
 */
export const isModule = (wasm) => wasm instanceof platform("WebAssembly").Module;

/**
 * @param {import("./source.js").BundleSource} [wasm]
 * @param {import("./source.js").Download} [download]
 */
async function compile(wasm, download) {
  const bytes = wasm === undefined ? await readOurs(download) : await readBytes(wasm, download);
  if (looksLikeHtml(bytes)) {
    const what =
      "the server sent a web page in place of hushbit.wasm, which a bundler has left behind: with Vite, add " +
      '"hushbit" to optimizeDeps.exclude; with others, serve hushbit/hushbit.wasm and give its URL: ' +
      "load(undefined, { wasm: url })";
    throw new HushbitError("FILE_NOT_FOUND", what);
  }
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    const what =
      "hushbit.wasm cannot be compiled: the file is wrong, the browser is too old, or the Content Security " +
      "Policy lacks 'wasm-unsafe-eval' in script-src";
    throw new HushbitError("READ_FAILED", what, 0, error);
  }
}

/** @param {import("./source.js").Download} [download] */
async function readOurs(download) {
  try {
    return await readBytes(ours(), download);
  } catch (error) {
    const { status = "FILE_NOT_FOUND", message } = /** @type {HushbitError} */ (error);
    const what =
      `${message}. This was looked for since no option said where hushbit.wasm is. Load a bundle with it first, ` +
      "load(source, { wasm }), or give it here too: Budget.open({ wasm })";
    throw new HushbitError(status, what, 0, error);
  }
}
