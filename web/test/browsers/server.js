// A server of web/ and of the site of docs on this computer, as strict as a page can ask for, and pages for tests.

import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";

const WEB = new URL("../../", import.meta.url);
export const SITE = new URL("../../../build/web/site/", import.meta.url);
const VECTORS = new URL("../../../tests/vectors/", import.meta.url);
export const ENGLISH = new URL("../../../python/hushbit/data/english.hushbit", import.meta.url);

const TYPES = new Map([
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript"],
  [".css", "text/css"],
  [".json", "application/json"],
  [".svg", "image/svg+xml"],
  [".wasm", "application/wasm"],
]);
const STRICT =
  "default-src 'none'; connect-src 'self'; style-src 'self'; worker-src 'self'; " +
  "img-src 'self' data:; script-src 'self'";
const SERVICE_WORKER = `
import { load } from "/src/index.js";
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("message", (event) => event.waitUntil((async () => {
  const bundle = await load("/vectors/crowds-64.hushbit", { cache: "words 1" });
  event.source.postMessage((await bundle.privatizer().privatize("the cat")).tokens.length);
})()));`;

/** Pages that are not files. @type {Map<string, [string, string]>} type and content */
const PAGES = new Map([
  ["/strict.html", ["text/html", "<!doctype html><title>strict</title><link rel=icon href=data:,>"]],
  ["/no-wasm.html", ["text/html", "<!doctype html><title>no WebAssembly</title>"]],
  ["/lost.hushbit", ["text/html", "<!doctype html><title>Sorry</title>"]],
  ["/service-worker.js", ["text/javascript", SERVICE_WORKER]],
  ["/own-worker.js", ["text/javascript", 'import "/src/worker.js";']],
]);

/** @param {string} path */
function fileAt(path) {
  if (path === "/src/english.hushbit" && existsSync(ENGLISH)) return ENGLISH;
  if (path.startsWith("/vectors/")) return new URL(path.slice("/vectors/".length), VECTORS);
  const file = path.endsWith("/") ? `${path}index.html` : path;
  return file.startsWith("/site/") ? new URL(file.slice("/site/".length), SITE) : new URL(`.${file}`, WEB);
}

/**
 * @param {number} [port] a free one if it is not given
 * @returns {Promise<{ origin: string, requests: string[], close: () => Promise<void> }>}
 */
export async function serve(port = 0) {
  /** @type {string[]} */
  const requests = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    requests.push(path);
    const script = path === "/no-wasm.html" ? "" : " 'wasm-unsafe-eval'";
    // Pages of the site have scripts in them, which the generator writes. The playground has none.
    const isPage = path.startsWith("/site/") && !path.startsWith("/site/playground/") && !path.startsWith("/site/src/");
    if (!isPage) response.setHeader("content-security-policy", STRICT + script);
    response.setHeader("cache-control", "no-cache");
    const made = PAGES.get(path);
    try {
      const content = made?.[1] ?? readFileSync(fileAt(path));
      response.setHeader(
        "content-type",
        made?.[0] ?? TYPES.get(extname(fileAt(path).pathname)) ?? "application/octet-stream",
      );
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(port, "localhost", () => resolve(undefined)));
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    origin: `http://localhost:${address.port}`,
    requests,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
