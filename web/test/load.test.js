// Where the core comes from, and what is said where it does not: on servers, behind bundlers, without workers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { HushbitError, load, loadInWorker } from "../src/index.js";
import { readVector } from "./support.js";

const bundle = readVector("words-64.hushbit");
const core = new Uint8Array(readFileSync(new URL("../src/hushbit.wasm", import.meta.url)));

/**
 * @param {string} status
 * @param {RegExp} message
 */
const failsWith = (status, message) => (/** @type {unknown} */ error) => {
  assert.ok(error instanceof HushbitError, String(error));
  assert.equal(error.status, status);
  assert.match(error.message, message);
  return true;
};

test("a web page in place of the core is named, with what to do; the next call may succeed", async () => {
  const page = () => new Response("<!doctype html><title>Not found</title>");
  await assert.rejects(load(bundle, { wasm: page() }), failsWith("FILE_NOT_FOUND", /optimizeDeps\.exclude/));
  await assert.rejects(load(bundle, { wasm: core.slice(0, 100) }), failsWith("READ_FAILED", /cannot be compiled/));
  assert.equal((await load(bundle, { wasm: new Response(core) })).info.words, 749);
});

test("a module that is compiled elsewhere is taken as it is", async () => {
  const url = new URL("../src/load.js?fresh", import.meta.url).href;
  const { load: fresh } = await import(url);
  assert.equal((await fresh(bundle, { wasm: await WebAssembly.compile(core) })).info.words, 749);
});

test("the element's module can be imported on a server", async () => {
  const { HushbitShare } = await import("../src/share.js");
  assert.equal(typeof HushbitShare, "function");
});

test("without workers an error of its own says so", async () => {
  await assert.rejects(loadInWorker(bundle), failsWith("READ_FAILED", /use load/));
});

test("progress adds up the files, and ends when all bytes are there", async () => {
  const { load: fresh } = await import(`${new URL("../src/load.js", import.meta.url).href}?progress`);
  const stated = (/** @type {Uint8Array<ArrayBuffer>} */ bytes, known = true) =>
    new Response(bytes, { headers: known ? { "content-length": String(bytes.length) } : {} });
  for (const known of [true, false]) {
    /** @type {import("../src/index.js").Progress[]} */
    const seen = [];
    const onProgress = (/** @type {import("../src/index.js").Progress} */ progress) => seen.push(progress);
    await fresh(stated(bundle, known), { wasm: stated(core), onProgress });
    const { received, total } = /** @type {import("../src/index.js").Progress} */ (seen.at(-1));
    assert.equal(received, total);
    assert.ok(received === bundle.length || received === bundle.length + core.length);
    assert.ok(seen.every((now, i) => i === 0 || now.received >= seen[i - 1].received));
  }
});
