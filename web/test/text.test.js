// Strings are UTF-16: offsets, lone surrogates, long texts, memory that is left clean.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Core } from "../src/core.js";
import { openBundle } from "../src/load.js";
import { bytesOf, module, openGiven, readJson, readVector } from "./support.js";

const { bundle, random } = await openGiven("words-64.hushbit");
const words = readJson("privatize-words-64.json").words.map((/** @type {string} */ hex) =>
  new TextDecoder().decode(bytesOf(hex)),
);

/** @param {string} text */
const spans = (text) => bundle.tokenize(text).map(({ utf16Begin, utf16End }) => text.slice(utf16Begin, utf16End));

test("offsets count UTF-16 units", () => {
  assert.deepEqual(spans("the 😀 cat"), ["the", "😀", "cat"]);
  assert.deepEqual(spans("é the ﬁne 𝒳𝒴 cat"), ["é", "the", "ﬁne", "𝒳𝒴", "cat"]);
});

test("lone surrogates count as U+FFFD, and what follows stays in place", () => {
  for (const lone of ["\ud800", "\udc00", "\udc00\ud800"]) {
    const text = `${lone} the ${lone} cat ${lone}`;
    const spelled = new TextDecoder().decode(new TextEncoder().encode(text));
    assert.deepEqual(bundle.tokenize(text), bundle.tokenize(spelled));
    const found = spans(text);
    assert.ok(found.includes("the") && found.includes("cat"));
  }
});

test("offsets of the output count UTF-16 units", async () => {
  random.seed(new Uint8Array(32));
  const privatizer = bundle.privatizer({ oov: "verbatim-unsafe", epsilon: 40, allowUnchanged: true });
  const { text, tokens } = await privatizer.privatize("the 😀é cat xyzzyqxé dog");
  const pieces = tokens.filter((token) => token.outputEnd > token.outputBegin);
  assert.equal(pieces.map((token) => text.slice(token.outputBegin, token.outputEnd)).join(" "), text);
  assert.ok(text.includes("xyzzyqxé"));
});

test("every word of the vocabulary is found where it stands", () => {
  const text = words.join("  ");
  let at = 0;
  const tokens = bundle.tokenize(text);
  for (const word of words) {
    const token = tokens.find(({ utf16Begin }) => utf16Begin === at);
    assert.ok(token !== undefined, word);
    at += word.length + 2;
  }
});

test("a long text grows the memory and comes out whole", async () => {
  const core = await Core.instantiate(module);
  const privatizer = openBundle(core, readVector("words-64.hushbit")).privatizer();
  const before = core.bytes.length;
  const { tokens, text, cost } = await privatizer.privatize("the cat dog ".repeat(20_000));
  assert.ok(core.bytes.length > before);
  assert.equal(tokens.length, 60_000);
  assert.equal(text.split(" ").length, 60_000);
  assert.equal(cost.words + cost.unknown, 60_000);
});

test("nothing of a text stays in the memory of the core", async () => {
  const core = await Core.instantiate(module);
  const other = openBundle(core, readVector("words-64.hushbit"));
  const secret = "xyzzyqx wvutsrqp";
  await other.privatizer({ oov: "verbatim-unsafe" }).privatize(`the ${secret} ${secret}`);
  await assert.rejects(other.privatizer({ oov: "error" }).privatize(`${secret}`));
  assert.equal(Buffer.from(core.bytes.buffer).indexOf("xyzzyqx"), -1);
  assert.equal(Buffer.from(core.bytes.buffer).indexOf("wvutsrqp"), -1);
  other.tokenize(secret);
  assert.equal(Buffer.from(core.bytes.buffer).indexOf("xyzzyqx"), -1);
});
