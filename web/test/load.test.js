// Where the core comes from, and what is said where it does not: on servers, behind bundlers, without workers.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { HushbitError, load, loadInWorker } from "../src/index.js";
import { MemoryStore, readVector } from "./support.js";

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

/**
 * The package as a bundler may leave it, without the core beside it, in a folder that is gone after the test.
 * @param {import("node:test").TestContext} t
 * @returns {Promise<typeof import("../src/index.js")>}
 */
async function withoutCore(t) {
  const folder = mkdtempSync(join(tmpdir(), "hushbit-"));
  t.after(() => rmSync(folder, { recursive: true }));
  cpSync(new URL("../src", import.meta.url), folder, {
    recursive: true,
    filter: (path) => !/\.(wasm|hushbit)$/.test(path),
  });
  return import(pathToFileURL(join(folder, "index.js")).href);
}

test("where no core lies beside the package, whoever names none learns of the option", async (t) => {
  const { Budget, load: loadHere, openProjection } = await withoutCore(t);
  for (const call of [loadHere(bundle), Budget.open({ store: new MemoryStore() }), openProjection(bundle)]) {
    await assert.rejects(call, { status: "FILE_NOT_FOUND", message: /hushbit\.wasm.*load\(source, \{ wasm \}\)/ });
  }
});

test("a budget takes a core of its own, which a bundle then uses, and the other way around", async (t) => {
  const first = await withoutCore(t);
  const store = new MemoryStore();
  await first.Budget.open({ store, wasm: core });
  assert.equal((await first.load(bundle)).info.words, 749);
  await first.Budget.reset({ store });
  const second = await withoutCore(t);
  await second.load(bundle, { wasm: core });
  await second.Budget.open({ store });
});

test("a call that names the core does not fail with one that was earlier and names none", async (t) => {
  const { Budget, load: loadHere } = await withoutCore(t);
  const early = Budget.open({ store: new MemoryStore() });
  const named = loadHere(bundle, { wasm: new Response(core) });
  await assert.rejects(early, { status: "FILE_NOT_FOUND" });
  assert.equal((await named).info.words, 749);
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
