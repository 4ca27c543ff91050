// A part of the platform that is missing is named by an error of this package, not by a ReferenceError.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

const url = (/** @type {string} */ path) => new URL(`../${path}`, import.meta.url).href;
/** Not WebAssembly, without which Node itself fails where nobody can catch it. */
const PARTS = [
  "TextEncoder",
  "TextDecoder",
  "fetch",
  "Response",
  "Blob",
  "crypto",
  "indexedDB",
  "navigator",
  "caches",
  "Worker",
];

/**
 * What a user may call first, where `part` is missing. It prints failures that are no HushbitError.
 * @param {string} part
 */
const program = (part) => `
  await fetch("data:,").catch(() => {}); // Node makes this when it is first used, of other parts
  delete globalThis["${part}"];
  const { Budget, HushbitError, deviceKey, load, loadInWorker } = await import("${url("src/index.js")}");
  const options = { wasm: new URL("${url("src/hushbit.wasm")}"), cache: "words" };
  const words = "${url("../tests/vectors/words-64.hushbit")}";
  const calls = {
    privatize: async () => (await load(words, options)).privatizer().privatize("the cat"),
    worker: () => loadInWorker(words),
    fetch: () => load("http://localhost:1/words", options),
    key: () => deviceKey(),
    budget: () => Budget.open(),
    share: async () => new (await import("${url("src/share.js")}")).HushbitShare(),
    ownWorker: () => import("${url("src/worker.js")}"),
  };
  for (const [name, call] of Object.entries(calls)) {
    await call().then(() => {}, (error) => {
      if (!(error instanceof HushbitError)) console.log(name, error);
    });
  }`;

for (const part of PARTS) {
  test(`without ${part}`, async () => {
    const options = ["--no-warnings", "--input-type=module", "--eval", program(part)];
    assert.equal((await promisify(execFile)(process.execPath, options)).stdout, "");
  });
}
