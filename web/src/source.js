// The bytes of a source: from the network, from a cache of the origin, from disk in Node, or from memory.

import { HushbitError, platform } from "./errors.js";

/**
 * The source of a bundle. A string is a URL, relative to the page; in Node it may be a path.
 * @typedef {string | URL | Response | Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer>} BundleSource
 */

/**
 * How files are downloaded.
 * @typedef {object} Download
 * @property {string} [cache] the name of a cache of the origin (Cache API), where each file is kept under its URL:
 *   page, workers and service worker fetch it once, and later need no network. Change the name when the files change.
 *   It needs https or localhost; elsewhere files are fetched as if it were not given.
 * @property {(progress: Progress) => void} [onProgress] called as bytes arrive
 */

/**
 * The bytes of all files together that arrived so far, and of how many. `total` is undefined as long as the length of a
 * file is not known: many servers do not tell it for what they compress. At the end both are the same.
 * @typedef {{ received: number, total: number | undefined }} Progress
 */

/**
 * All bytes of a source.
 * @param {BundleSource} source
 * @param {Download} [download]
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function readBytes(source, download = {}) {
  const bytes = await read(source, download);
  download.onProgress?.({ received: bytes.length, total: bytes.length });
  return bytes;
}

/**
 * @param {BundleSource} source
 * @param {Download} download
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function read(source, { cache, onProgress }) {
  if (isBuffer(source)) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (isA("Blob", source)) return new Uint8Array(await source.arrayBuffer());
  if (isA("Response", source)) return readResponse(source, onProgress);
  const fromDisk = await readFromDisk(source);
  if (fromDisk !== undefined) return fromDisk;
  const fetched = async () => readResponse(await fetchFrom(source), onProgress);
  return cache === undefined ? fetched() : readThrough(cache, source, fetched);
}

/**
 * The progress of several files as one.
 * @param {((progress: Progress) => void) | undefined} onProgress
 * @param {number} files
 * @returns {((progress: Progress) => void)[]} what to call for each file
 */
export function shareProgress(onProgress, files) {
  /** @type {Progress[]} */
  const all = Array.from({ length: files }, () => ({ received: 0, total: undefined }));
  return all.map((_, file) => (progress) => {
    all[file] = progress;
    const known = all.every(({ total }) => total !== undefined);
    onProgress?.({
      received: all.reduce((sum, { received }) => sum + received, 0),
      total: known ? all.reduce((sum, { total }) => sum + (total ?? 0), 0) : undefined,
    });
  });
}

/**
 * Whether the bytes begin like a web page, after any white space.
 * @param {Uint8Array} bytes
 */
export function looksLikeHtml(bytes) {
  const beginning = new (platform("TextDecoder"))().decode(bytes.subarray(0, 256)).trimStart().toLowerCase();
  return beginning.startsWith("<");
}

/**
 * Also of another realm, such as that of a test runner.
 * @param {unknown} source
 * @returns {source is ArrayBuffer}
 */
const isBuffer = (source) => Object.prototype.toString.call(source) === "[object ArrayBuffer]";

/**
 * Whether the platform has this class, and the source is of it.
 * @template {"Blob" | "Response"} Name
 * @param {Name} name
 * @param {unknown} source
 * @returns {source is InstanceType<(typeof globalThis)[Name]>}
 */
const isA = (name, source) => globalThis[name] !== undefined && source instanceof globalThis[name];

/**
 * Reads a file from a cache, or fetches it into the cache, once even if several ask for it at a time.
 * @param {string} name of the cache
 * @param {string | URL} source
 * @param {() => Promise<Uint8Array<ArrayBuffer>>} fetched
 */
async function readThrough(name, source, fetched) {
  const cache = await globalThis.caches?.open(name).catch(() => undefined); // a private window may refuse it
  if (cache === undefined) return fetched();
  const keep = async () => {
    const kept = await cache.match(source);
    if (kept !== undefined) return new Uint8Array(await kept.arrayBuffer());
    const bytes = await fetched();
    // Without space on the disk the file is used all the same. A web page in place of a file is not kept.
    if (!looksLikeHtml(bytes)) await cache.put(source, new Response(bytes)).catch(() => {});
    return bytes;
  };
  const locks = globalThis.navigator?.locks;
  return locks === undefined ? keep() : locks.request(`hushbit/download/${name}/${source}`, keep);
}

/**
 * @param {string | URL} source
 * @returns {Promise<Response>}
 */
async function fetchFrom(source) {
  const fetch = platform("fetch");
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

/**
 * @param {Response} response
 * @param {((progress: Progress) => void) | undefined} onProgress
 */
async function readResponse(response, onProgress) {
  if (!response.ok) {
    const status = response.status === 404 || response.status === 410 ? "FILE_NOT_FOUND" : "READ_FAILED";
    throw new HushbitError(status, `the server answered ${response.status} for ${response.url}`);
  }
  try {
    if (onProgress === undefined || response.body === null) return new Uint8Array(await response.arrayBuffer());
    const watched = response.body.pipeThrough(watching(response.headers, onProgress));
    return new Uint8Array(await new Response(watched).arrayBuffer());
  } catch (error) {
    throw new HushbitError("READ_FAILED", `the download of ${response.url} was interrupted`, 0, error);
  }
}

/**
 * Counts what passes. The stated length is that of what was compressed, if it was, and may be wrong then.
 * @param {Headers} headers
 * @param {(progress: Progress) => void} onProgress
 * @returns {TransformStream<Uint8Array, Uint8Array>}
 */
function watching(headers, onProgress) {
  const stated = headers.get("content-encoding") === null ? Number(headers.get("content-length") ?? NaN) : NaN;
  let received = 0;
  const tell = () => onProgress({ received, total: received <= stated ? stated : undefined });
  return new TransformStream({
    start: tell,
    transform(chunk, controller) {
      received += chunk.length;
      tell();
      controller.enqueue(chunk);
    },
  });
}

/**
 * In Node: the bytes of a file, by its path or file: URL. Undefined elsewhere, and for other URLs.
 * @param {string | URL} source
 * @returns {Promise<Uint8Array<ArrayBuffer> | undefined>}
 */
async function readFromDisk(source) {
  const files = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  if (files === undefined) return undefined;
  const isUrl = source instanceof URL || URL.canParse(source);
  if (isUrl && new URL(source).protocol !== "file:") return undefined;
  try {
    return new Uint8Array(await files.readFile(isUrl ? new URL(source) : source));
  } catch (error) {
    const status = /** @type {any} */ (error)?.code === "ENOENT" ? "FILE_NOT_FOUND" : "READ_FAILED";
    throw new HushbitError(status, `cannot read ${source}`, 0, error);
  }
}
