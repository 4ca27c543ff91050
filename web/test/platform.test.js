// A part of the platform that is missing is named by an error of this package, not by a ReferenceError.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

const index = new URL("../src/index.js", import.meta.url).href;
const wasm = new URL("../src/hushbit.wasm", import.meta.url).href;
const words = new URL("../../tests/vectors/words-64.hushbit", import.meta.url).href;
const PARTS = [
  "TextEncoder",
  "TextDecoder",
  "WebAssembly",
  "fetch",
  "Response",
  "Blob",
  "crypto",
  "indexedDB",
  "navigator",
  "caches",
  "Worker",
];

/** What a user may call first, where `part` is missing. Prints the failures that are no HushbitError. @param {string} part */
const program = (part) => `
  await fetch("data:,").catch(() => {}); // Node makes this when it is first used, of other parts
  await fetch("http://localhost:1").catch(() => {});
  delete globalThis[${JSON.stringify(part)}];
  const { Budget, HushbitError, deviceKey, load, loadInWorker } = await import(${JSON.stringify(index)});
  const wasm = new URL(${JSON.stringify(wasm)});
  const calls = {
    privatize: async () => (await load(${JSON.stringify(words)}, { wasm, cache: "words" })).privatizer().privatize("the cat"),
    fetch: () => load("http://localhost:1/words", { wasm, cache: "words" }),
    worker: () => loadInWorker(${JSON.stringify(words)}),
    key: () => deviceKey(),
    budget: () => Budget.open(),
    share: async () => new (await import(${JSON.stringify(new URL("../src/share.js", import.meta.url).href)})).HushbitShare(),
    ownWorker: () => import(${JSON.stringify(new URL("../src/worker.js", import.meta.url).href)}),
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
