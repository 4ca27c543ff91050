// Budgets and device keys over a store in memory; over IndexedDB they are tested in browsers (test/browsers).

import assert from "node:assert/strict";
import { test } from "node:test";
import { Budget, HushbitError, deviceKey, load } from "../src/index.js";
import { MemoryStore, VECTORS } from "./support.js";

/** @param {string} status */
const failsWith = (status) => (/** @type {unknown} */ error) =>
  error instanceof HushbitError && error.status === status;

const bundle = await load(new URL("words-64.hushbit", VECTORS));

test("a text is spent before it is handed out, and one too many is refused", async () => {
  const store = new MemoryStore();
  const free = bundle.privatizer({ epsilon: 1 });
  const { cost } = await free.privatize("the cat");
  const budget = await Budget.open({ store, worstCaseLifetime: 2.5 * cost.worstCase });
  const privatizer = bundle.privatizer({ epsilon: 1, budget });
  await privatizer.privatize("the cat");
  await privatizer.privatize("the cat!");
  await assert.rejects(privatizer.privatize("the cat"), failsWith("BUDGET_EXHAUSTED"));
  const state = await budget.state();
  assert.equal(state.tokensLifetime, 4);
  assert.equal(state.tokensToday, 4);
  assert.ok(Math.abs(state.worstCaseLifetime - 2 * cost.worstCase) <= 2e-6);
  // Others with the same ledger have what is left, which is one word.
  const other = bundle.privatizer({ epsilon: 1, budget: await Budget.open({ store, tokensPerDay: 5 }) });
  await assert.rejects(other.privatize("the cat"), failsWith("BUDGET_EXHAUSTED"));
  assert.equal((await other.privatize("the")).tokens.length, 1);
});

test("releases at the same time cannot spend the same budget", async () => {
  const budget = await Budget.open({ store: new MemoryStore(), tokensLifetime: 10 });
  const privatizer = bundle.privatizer({ budget });
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => privatizer.privatize("the")));
  assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 10);
});

test("costs are rounded up, caps down, and infinite costs need infinite caps", async () => {
  const budget = await Budget.open({ store: new MemoryStore(), worstCasePerDay: 1e-6 });
  await assert.rejects(budget.spend(1.1e-6, 0), failsWith("BUDGET_EXHAUSTED"));
  await budget.spend(0.1e-6, 0);
  assert.equal((await budget.state()).worstCaseToday, 1e-6);
  await assert.rejects(budget.spend(Infinity, 0), failsWith("BUDGET_EXHAUSTED"));
  await assert.rejects(budget.spend(NaN, 0), failsWith("INVALID_ARGUMENT"));
  const open = await Budget.open({ store: new MemoryStore() });
  await open.spend(Infinity, 1);
  assert.equal((await open.state()).worstCaseLifetime, Infinity);
});

test("a day begins anew, but never goes back", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 40 * 86_400_000 });
  const budget = await Budget.open({ store: new MemoryStore(), tokensPerDay: 1 });
  await budget.spend(0, 1);
  t.mock.timers.setTime(39 * 86_400_000);
  await assert.rejects(budget.spend(0, 1), failsWith("BUDGET_EXHAUSTED"));
  t.mock.timers.setTime(41 * 86_400_000);
  await budget.spendTexts(0, 1);
  assert.deepEqual(await budget.state(), {
    day: 41,
    worstCaseToday: 0,
    worstCaseLifetime: 0,
    tokensToday: 1,
    tokensLifetime: 2,
    textsToday: 1,
    textsLifetime: 1,
  });
});

test("a ledger that is damaged, newer or gone releases nothing", async () => {
  const store = new MemoryStore();
  const budget = await Budget.open({ store });
  const privatizer = bundle.privatizer({ budget });
  const ledger = /** @type {Uint8Array} */ (store.values.get("budget"));
  for (let at = 0; at < ledger.length; ++at) {
    const damaged = ledger.slice();
    damaged[at] ^= 1;
    store.values.set("budget", damaged);
    await assert.rejects(privatizer.privatize("the"), failsWith("CORRUPT_BUDGET"));
    await assert.rejects(Budget.open({ store }), failsWith("CORRUPT_BUDGET"));
  }
  store.values.delete("budget");
  await assert.rejects(privatizer.privatize("the"), failsWith("CORRUPT_BUDGET"));
  await Budget.reset({ store });
  await privatizer.privatize("the");
  store.failure = new Error("the disk is full");
  await assert.rejects(privatizer.privatize("the"), failsWith("STORAGE_FAILED"));
});

test("caps that cannot be are refused", async () => {
  const store = new MemoryStore();
  for (const limits of [{ worstCasePerDay: -1 }, { worstCaseLifetime: NaN }, { tokensPerDay: 1.5 }, { tokens: 1 }]) {
    await assert.rejects(Budget.open({ store, ...limits }), failsWith("INVALID_ARGUMENT"));
  }
});

test("numbers of tokens and texts that the core cannot take are refused, not shortened", async () => {
  const budget = await Budget.open({ store: new MemoryStore() });
  for (const count of [-1, 0.5, NaN, 2 ** 32]) {
    await assert.rejects(budget.spend(1, count), failsWith("INVALID_ARGUMENT"));
    await assert.rejects(budget.spendTexts(1, count), failsWith("INVALID_ARGUMENT"));
  }
  await budget.spend(0, 2 ** 32 - 1);
  const { tokensToday, worstCaseToday } = await budget.state();
  assert.deepEqual([tokensToday, worstCaseToday], [2 ** 32 - 1, 0]);
});

test("a device key is made once, and memoizes", async () => {
  const store = new MemoryStore();
  const key = await deviceKey({ store });
  assert.equal(key.length, 32);
  assert.notDeepEqual(key, new Uint8Array(32));
  assert.deepEqual(await deviceKey({ store }), key);
  assert.notDeepEqual(await deviceKey({ store, name: "another" }), key);
  const words = "the cat and the dog and the cat";
  const first = await bundle.privatizer({ deviceKey: key }).privatize(words);
  const again = await bundle.privatizer({ deviceKey: key }).privatize(words);
  assert.equal(again.text, first.text);
  const later = await bundle.privatizer({ deviceKey: key, epoch: 1, epsilon: 0 }).privatize(words);
  const now = await bundle.privatizer({ deviceKey: key, epsilon: 0 }).privatize(words);
  assert.notEqual(later.text, now.text); // equal with a chance below 1e-6: 4 distinct words
  store.values.set("device key", new Uint8Array(31));
  await assert.rejects(deviceKey({ store }), failsWith("STORAGE_FAILED"));
});

test("without a browser the default store says what is missing", async () => {
  await assert.rejects(Budget.open(), failsWith("STORAGE_FAILED"));
});
