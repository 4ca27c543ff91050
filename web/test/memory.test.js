// What a long text takes of WebAssembly's memory, which can grow and never shrinks, and what stays afterwards.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Core } from "../src/core.js";
import { openBundle } from "../src/load.js";
import { module, readVector } from "./support.js";

const MEBIBYTE = 2 ** 20;
const text = "meet me at the station, please. ".repeat(MEBIBYTE / 32);

test("a text of 1 MiB takes bounded memory, and later ones no more", async () => {
  const core = await Core.instantiate(module);
  const privatizer = openBundle(core, readVector("crowds-64.hushbit")).privatizer();
  const before = core.memoryBytes;
  await privatizer.privatize(text);
  const grown = core.memoryBytes - before;
  console.log(`a text of 1 MiB lets memory grow by ${(grown / MEBIBYTE).toFixed(1)} MiB`);
  assert.ok(grown < 64 * MEBIBYTE, `memory grew by ${grown} bytes`);
  for (let i = 0; i < 5; ++i) await privatizer.privatize(text);
  assert.equal(core.memoryBytes - before, grown);
});

test("what is disposed gives its memory to what comes next", async () => {
  const core = await Core.instantiate(module);
  const bundle = openBundle(core, readVector("crowds-64.hushbit"));
  const use = async () => {
    const privatizer = bundle.privatizer();
    await privatizer.privatize(text);
    privatizer.dispose();
    return core.memoryBytes;
  };
  const first = await use();
  for (let i = 0; i < 5; ++i) assert.equal(await use(), first);
});
