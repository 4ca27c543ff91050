// Embeddings of whole texts: the golden vectors by the module that is shipped, and what pages rely on.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { Budget } from "../src/budget.js";
import { HushbitError, STATUSES } from "../src/errors.js";
import { MemoryStore, VECTORS, bytesOf, openGiven, readJson } from "./support.js";

const FILES = readdirSync(VECTORS).filter((name) => /^embed-.*\.json$/.test(name));
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @param {string} hex */
const numberOf = (hex) => BigInt(`0x${hex}`);

/** @param {Int8Array} direction */
const signsOf = (direction) => direction.reduce((signs, sign, i) => signs | (BigInt(sign > 0) << BigInt(i)), 0n);

/**
 * @param {import("../src/bundle.js").Bundle} bundle
 * @param {import("./support.js").GivenRandomness} random
 * @param {any} item
 */
async function checkCase(bundle, random, item) {
  const embedder = bundle.embedder({
    epsilon: item.epsilon,
    punctuation: item.punctuation,
    epoch: numberOf(item.epoch),
    ...(item.device_key === null ? {} : { deviceKey: bytesOf(item.device_key) }),
  });
  let left = () => 0;
  if (item.seed !== null) random.seed(bytesOf(item.seed));
  else if (item.stream !== null) left = random.stream(bytesOf(item.stream));
  else random.fail();
  try {
    const embedding = await embedder.embed(decoder.decode(bytesOf(item.text)));
    assert.equal(item.status, 0);
    assert.equal(embedding.index, item.index);
    assert.equal(signsOf(embedding.direction), numberOf(item.signs));
    assert.equal(embedding.epsilon, embedder.info.effectiveEpsilon);
    assert.ok(Math.abs(embedding.epsilon - item.effective_epsilon) <= 1e-12 * item.effective_epsilon);
    assert.equal(embedder.info.crowdThreshold, numberOf(item.crowd_threshold));
    assert.equal(embedder.info.crowdDirections, item.crowd_directions);
    assert.equal(embedder.info.memoized, item.device_key !== null);
  } catch (error) {
    if (!(error instanceof HushbitError)) throw error;
    assert.equal(error.status, STATUSES[item.status]);
  } finally {
    embedder.dispose();
  }
  assert.equal(left(), 0);
}

for (const file of FILES) {
  const vectors = readJson(file);
  test(vectors.bundle, async (t) => {
    const { bundle, random } = await openGiven(vectors.bundle);
    bundle.verify();
    const { info } = bundle.embedder();
    assert.deepEqual([info.hash, info.dimensions], [vectors.bundle_hash, vectors.dimensions]);
    assert.deepEqual([info.directions, info.seed], [vectors.directions, numberOf(vectors.seed)]);
    const cases = vectors.cases.filter((/** @type {any} */ item) => STATUSES[item.status] !== "INVALID_UTF8");
    assert.ok(cases.length > 20);
    for (const item of cases) await t.test(item.name, () => checkCase(bundle, random, item));
    bundle.dispose();
  });
}

test("a bundle without an embedding says so", async () => {
  const { bundle } = await openGiven("crowds-64.hushbit");
  assert.throws(() => bundle.embedder(), { status: "INVALID_ARGUMENT", message: /no embedding/ });
});

test("options are checked, and only those of embedders are known", async () => {
  const { bundle } = await openGiven("embed-64.hushbit");
  assert.equal(bundle.embedder().info.requestedEpsilon, 2);
  for (const options of [{ epsilon: -1 }, { epsilon: NaN }, { mechanism: "brr" }, { deviceKey: new Uint8Array(3) }]) {
    assert.throws(() => bundle.embedder(/** @type {any} */ (options)), { status: "INVALID_ARGUMENT" });
  }
});

test("nothing is embedded without randomness, after dispose, or of what is no string", async () => {
  const { bundle, random } = await openGiven("embed-64.hushbit");
  const embedder = bundle.embedder();
  random.fail();
  await assert.rejects(embedder.embed("cat"), { status: "RANDOMNESS_FAILED" });
  await assert.rejects(embedder.embed(/** @type {any} */ (7)), { status: "INVALID_ARGUMENT" });
  bundle.dispose();
  assert.ok(embedder.disposed);
  await assert.rejects(embedder.embed("cat"), { status: "INVALID_ARGUMENT" });
});

test("the words nearest to a direction are the same for a direction and for its multiples", async () => {
  const { bundle } = await openGiven("embed-64.hushbit");
  const embedder = bundle.embedder();
  const direction = Int8Array.from({ length: 32 }, (_, i) => (i % 3 ? 1 : -1));
  const near = embedder.nearestWords(direction, 5);
  assert.equal(near.length, 5);
  assert.ok(near.every(({ word, wordId }) => bundle.find(word) === wordId));
  assert.ok(near.every(({ cosine }, i) => cosine <= (near[i - 1]?.cosine ?? 1)));
  const longer = embedder.nearestWords(
    Array.from(direction, (sign) => 3.5 * sign),
    5,
  );
  assert.deepEqual(
    longer.map(({ wordId }) => wordId),
    near.map(({ wordId }) => wordId),
  );
  assert.throws(() => embedder.nearestWords([1, 2, 3]), { status: "INVALID_ARGUMENT" });
});

test("a text costs its epsilon and one token, and nothing comes out when the budget is spent", async () => {
  const { bundle, random } = await openGiven("embed-64.hushbit");
  random.seed(new Uint8Array(32));
  const budget = await Budget.open({ store: new MemoryStore(), worstCaseLifetime: 4 });
  const embedder = bundle.embedder({ budget });
  await embedder.embed("a long text about cats");
  await embedder.embed("");
  await assert.rejects(embedder.embed("cat"), { status: "BUDGET_EXHAUSTED" });
  const { worstCaseLifetime, tokensLifetime } = await budget.state();
  assert.deepEqual([worstCaseLifetime, tokensLifetime], [4, 2]);
});
