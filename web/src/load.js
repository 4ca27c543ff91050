// Loads the core and a bundle: from files next to this one, from the network, from disk in Node, or from memory.

import { Bundle } from "./bundle.js";
import { Core } from "./core.js";
import { HushbitError } from "./errors.js";

/**
 * The source of a bundle. A string is a URL, relative to the page; in Node it may be a path.
 * @typedef {string | URL | Response | Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer>} BundleSource
 */

// Bundlers look for this form. It is within functions, since some servers have no import.meta.url that is a URL.
/** The built-in English bundle. */
const english = () => new URL("./english.hushbit", import.meta.url);
const core = () => new URL("./hushbit.wasm", import.meta.url);

/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;

/**
 * Opens a bundle, by default the built-in English one. It fetches only that bundle, and hushbit.wasm, which is next to
 * this file. `wasm` says where hushbit.wasm is instead, or is the module of it, as edge servers compile it; what was
 * compiled first stays for the whole page.
 * @param {BundleSource | PromiseLike<BundleSource>} [source]
 * @param {{ wasm?: BundleSource | WebAssembly.Module }} [options]
 * @returns {Promise<Bundle>}
 */
export async function load(source, { wasm } = {}) {
  const [instance, bytes] = await Promise.all([loadCore(wasm), readBytes((await source) ?? english())]);
  return openBundle(instance, bytes);
}

/**
 * A new instance of the core, which is compiled once.
 * @param {BundleSource | WebAssembly.Module} [wasm]
 * @returns {Promise<Core>}
 */
export async function loadCore(wasm) {
  compiled ??= wasm instanceof WebAssembly.Module ? Promise.resolve(wasm) : compile(wasm);
  try {
    return await Core.instantiate(await compiled);
  } catch (error) {
    compiled = undefined; // the next call may succeed
    throw error;
  }
}

/**
 * @param {Core} core
 * @param {Uint8Array} bytes
 */
export function openBundle(core, bytes) {
  if (!looksLikeHtml(bytes)) return new Bundle(core, bytes);
  const what = "the server sent a web page, not a bundle: it has no such file, or requires a login; check the URL";
  throw new HushbitError("CORRUPT_BUNDLE", what);
}

/** @param {BundleSource} [wasm] */
async function compile(wasm) {
  const bytes = await readBytes(wasm ?? core());
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

/**
 * Whether the bytes begin like a web page, after any white space.
 * @param {Uint8Array} bytes
 */
function looksLikeHtml(bytes) {
  const beginning = new TextDecoder().decode(bytes.subarray(0, 256)).trimStart().toLowerCase();
  return beginning.startsWith("<");
}

/**
 * All bytes of a source.
 * @param {BundleSource} source
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function readBytes(source) {
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof Blob) return new Uint8Array(await source.arrayBuffer());
  if (source instanceof Response) return readResponse(source);
  const fromDisk = await readFromDisk(source);
  return fromDisk ?? readResponse(await fetchFrom(source));
}

/**
 * @param {string | URL} source
 * @returns {Promise<Response>}
 */
async function fetchFrom(source) {
  try {
    return await fetch(source);
  } catch (error) {
    throw new HushbitError(
      "READ_FAILED",
      `cannot fetch ${source}: no network, or the server does not allow it`,
      0,
      error,
    );
  }
}

/** @param {Response} response */
async function readResponse(response) {
  if (!response.ok) {
    const status = response.status === 404 || response.status === 410 ? "FILE_NOT_FOUND" : "READ_FAILED";
    throw new HushbitError(status, `the server answered ${response.status} for ${response.url}`);
  }
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw new HushbitError("READ_FAILED", `the download of ${response.url} was interrupted`, 0, error);
  }
}

/**
 * In Node: the bytes of a file, by its path or file: URL. Undefined elsewhere, and for other URLs.
 * @param {string | URL} source
 * @returns {Promise<Uint8Array<ArrayBuffer> | undefined>}
 */
async function readFromDisk(source) {
  const files = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  const isUrl = source instanceof URL || URL.canParse(source);
  if (files === undefined || (isUrl && new URL(source).protocol !== "file:")) return undefined;
  try {
    return new Uint8Array(await files.readFile(isUrl ? new URL(source) : source));
  } catch (error) {
    const status = /** @type {any} */ (error)?.code === "ENOENT" ? "FILE_NOT_FOUND" : "READ_FAILED";
    throw new HushbitError(status, `cannot read ${source}`, 0, error);
  }
}
