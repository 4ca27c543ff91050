// The golden vectors, which an independent reference wrote (tests/vectors/README.md), by the very module that is
// shipped: its randomness is an import, which the tests give.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { HushbitError, STATUSES } from "../src/errors.js";
import { VECTORS, bytesOf, openGiven, readJson } from "./support.js";

const FILES = readdirSync(VECTORS).filter((name) => /^privatize-.*\.json$/.test(name));
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @param {string} hex */
const textOf = (hex) => decoder.decode(bytesOf(hex));

/**
 * @param {number} value
 * @param {number | null} expected
 */
function assertClose(value, expected) {
  if (expected === null) assert.equal(value, Infinity);
  else
    assert.ok(value === expected || Math.abs(value - expected) <= 1e-12 * Math.abs(expected), `${value} ${expected}`);
}

/**
 * The offsets of bytes of a text in UTF-16 units.
 * @param {string} hex
 * @param {number} byte
 */
const unitsBefore = (hex, byte) => textOf(hex.slice(0, 2 * byte)).length;

/** @param {any} item */
const optionsOf = (item) => ({
  mechanism: item.mechanism,
  epsilon: item.epsilon,
  beta: item.beta,
  oov: item.oov,
  punctuation: item.punctuation,
  mask: textOf(item.mask),
  epoch: BigInt(`0x${item.epoch}`),
  allowUnchanged: true,
  ...(item.crowd === undefined || item.crowd === null ? {} : { crowdSize: item.crowd }),
  ...(item.device_key === null ? {} : { deviceKey: bytesOf(item.device_key) }),
});

/**
 * @param {any} item
 * @param {import("../src/result.js").PrivatizedText} released
 */
function checkPrivatizedText(item, released) {
  const { text, tokens, cost } = released;
  assert.equal(text, textOf(item.output));
  assert.deepEqual(
    tokens.map((token) => [token.kind, token.wordId, [token.utf16Begin, token.utf16End]]),
    item.tokens.map((/** @type {any} */ token) => [token.kind, token.id, token.utf16]),
  );
  tokens.forEach(({ outputBegin, outputEnd }, i) => {
    const { output } = item.tokens[i];
    if (output === null) assert.equal(outputBegin, outputEnd);
    else
      assert.deepEqual(
        [outputBegin, outputEnd],
        output.map((/** @type {number} */ byte) => unitsBefore(item.output, byte)),
      );
  });
  assertClose(cost.epsilon, item.cost.epsilon);
  assertClose(cost.average, item.cost.average);
  assertClose(cost.worstCase, item.cost.worst_case);
  for (const name of /** @type {const} */ (["words", "unknown", "dropped", "verbatim"])) {
    assert.equal(cost[name], item.cost[name]);
  }
  assert.equal(cost.publicWords, item.cost.public_words ?? 0);
}

/**
 * @param {import("../src/privatizer.js").PrivatizerInfo} info
 * @param {any} item
 */
function checkInfo(info, item) {
  if (item.flip_threshold !== undefined) assert.equal(info.flipThreshold, BigInt(`0x${item.flip_threshold}`));
  if (item.gamma !== undefined) assert.equal(info.gamma, item.gamma);
  assert.equal(info.memoized, item.device_key !== null);
}

/**
 * @param {import("../src/bundle.js").Bundle} bundle
 * @param {import("./support.js").GivenRandomness} random
 * @param {any} item
 */
async function checkCase(bundle, random, item) {
  const privatizer = bundle.privatizer(optionsOf(item));
  let left = () => 0;
  if (item.seed !== null) random.seed(bytesOf(item.seed));
  else if (item.stream !== null) left = random.stream(bytesOf(item.stream));
  else random.fail();
  try {
    const released = await privatizer.privatize(textOf(item.text));
    assert.equal(item.status, 0);
    checkPrivatizedText(item, released);
    checkInfo(privatizer.info, item);
  } catch (error) {
    if (!(error instanceof HushbitError)) throw error;
    assert.equal(error.status, STATUSES[item.status]);
    if (error.status === "UNKNOWN_WORD") assert.equal(error.position, unitsBefore(item.text, item.position));
  } finally {
    privatizer.dispose();
  }
  assert.equal(left(), 0);
}

test("there are golden vectors of every mechanism", () => {
  const mechanisms = new Set(FILES.flatMap((name) => readJson(name).cases.map((/** @type {any} */ c) => c.mechanism)));
  assert.deepEqual([...mechanisms].sort(), ["brr", "crowd", "tem"]);
});

for (const file of FILES) {
  const vectors = readJson(file);
  test(vectors.bundle, async (t) => {
    const { bundle, random } = await openGiven(vectors.bundle);
    bundle.verify();
    assert.equal(bundle.info.hash, vectors.bundle_hash);
    assert.equal(typeof JSON.parse(bundle.meta), "object");
    assert.equal(bundle.info.bits, vectors.bits);
    assert.equal(bundle.info.words, vectors.words.length);
    vectors.words.forEach((/** @type {string} */ hex, /** @type {number} */ id) => {
      assert.equal(bundle.word(id), textOf(hex));
      assert.equal(bundle.find(textOf(hex)), id);
    });
    // A text that is not UTF-8 cannot come out of a string.
    const cases = vectors.cases.filter((/** @type {any} */ item) => STATUSES[item.status] !== "INVALID_TEXT");
    for (const item of cases) await t.test(item.name, () => checkCase(bundle, random, item));
    bundle.dispose();
  });
}
