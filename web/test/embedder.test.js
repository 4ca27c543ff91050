// Embeddings of whole texts: the golden vectors by the module that is shipped, and what pages rely on.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { Budget } from "../src/budget.js";
import { Core } from "../src/core.js";
import { Embedder, createOfProjection, openProjection } from "../src/embedder.js";
import { HushbitError, STATUSES } from "../src/errors.js";
import { GivenRandomness, MemoryStore, VECTORS, bytesOf, module, openGiven, readJson } from "./support.js";

const FILES = readdirSync(VECTORS).filter((name) => /^embed-[0-9]+\.json$/.test(name));
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
    const cases = vectors.cases.filter((/** @type {any} */ item) => STATUSES[item.status] !== "INVALID_TEXT");
    assert.ok(cases.length > 20);
    for (const item of cases) await t.test(item.name, () => checkCase(bundle, random, item));
    bundle.dispose();
  });
}

test("vectors of one's own, by a projection", async (t) => {
  const vectors = readJson("embed-vectors.json");
  const random = new GivenRandomness();
  const core = await Core.instantiate(module, random.fill);
  const make = (/** @type {number} */ at) => createOfProjection(core, bytesOf(vectors.projection), at);
  const { info } = new Embedder(core, undefined, make, {});
  assert.deepEqual([info.hash, info.inputNumbers], [vectors.hash, vectors.input_numbers]);
  assert.deepEqual([info.dimensions, info.directions], [vectors.dimensions, vectors.directions]);
  for (const item of vectors.cases) {
    await t.test(item.name, async () => {
      const embedder = new Embedder(core, undefined, make, {
        epsilon: item.epsilon,
        epoch: numberOf(item.epoch),
        ...(item.device_key === null ? {} : { deviceKey: bytesOf(item.device_key) }),
      });
      if (item.seed !== null) random.seed(bytesOf(item.seed));
      if (item.status !== 0) {
        await assert.rejects(embedder.embedVector(item.numbers), { status: STATUSES[item.status] });
        return;
      }
      const embedding = await embedder.embedVector(item.numbers);
      assert.equal(embedding.index, item.index);
      assert.equal(signsOf(embedding.direction), numberOf(item.signs));
    });
  }
  const embedder = new Embedder(core, undefined, make, {});
  await assert.rejects(embedder.embedVector([1, 2]), { status: "INVALID_ARGUMENT" });
  await assert.rejects(embedder.embedVector(new Float32Array(vectors.input_numbers).fill(NaN)), {
    status: "INVALID_ARGUMENT",
  });
  await assert.rejects(embedder.embed("a text"), { status: "INVALID_ARGUMENT" });
  const opened = await openProjection(bytesOf(vectors.projection));
  const { index } = await opened.embedVector(vectors.cases[0].numbers);
  assert.ok(index < vectors.directions);
  await assert.rejects(openProjection(bytesOf(vectors.projection).subarray(1)), { status: "INVALID_ARGUMENT" });
});

test("typed texts are classified by weights that were learned", async (t) => {
  const vectors = readJson("classify.json");
  const { bundle } = await openGiven(vectors.bundle);
  const embedder = bundle.embedder();
  const classifier = embedder.classifier(decoder.decode(bytesOf(vectors.weights)));
  assert.deepEqual(
    classifier.classes,
    vectors.classes.map((/** @type {string} */ hex) => decoder.decode(bytesOf(hex))),
  );
  for (const item of vectors.cases) {
    await t.test(item.name, () => {
      const { name, probabilities } = classifier.classify(decoder.decode(bytesOf(item.text)));
      assert.equal(name, classifier.classes[item.best]);
      const shares = item.log_odds.map((/** @type {number} */ odds) => Math.exp(odds - item.log_odds[item.best]));
      const sum = shares.reduce((/** @type {number} */ total, /** @type {number} */ share) => total + share, 0);
      probabilities.forEach((share, i) => assert.ok(Math.abs(share - shares[i] / sum) < 1e-9));
    });
  }
  for (const item of vectors.refused) {
    const text = new TextDecoder().decode(bytesOf(item.weights));
    assert.throws(() => embedder.classifier(text), { status: "INVALID_ARGUMENT" }, item.name);
  }
  embedder.dispose();
  assert.ok(classifier.disposed);
  assert.throws(() => classifier.classify("cat"), { status: "INVALID_ARGUMENT" });
});

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
  const { worstCaseLifetime, tokensLifetime, textsToday, textsLifetime } = await budget.state();
  assert.deepEqual([worstCaseLifetime, tokensLifetime, textsToday, textsLifetime], [4, 2, 2, 2]);
});
