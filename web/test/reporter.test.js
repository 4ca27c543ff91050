// Reports: the golden vectors by the module that is shipped, and what pages rely on.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Budget } from "../src/budget.js";
import { MemoryStore, bytesOf, openGiven, readJson } from "./support.js";

const vectors = readJson("reports.json");
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @param {string} hex */
const textOf = (hex) => decoder.decode(bytesOf(hex));

/** @param {string} hex */
const linesOf = (hex) => (hex === "" ? [] : textOf(hex).split("\n"));

/**
 * @param {any} item
 * @returns {import("../src/options.js").ReporterOptions}
 */
const optionsOf = (item) => ({
  values: item.values === "list" ? linesOf(item.list) : item.values,
  epsilon: item.epsilon,
  skinTones: item.skin_tones,
  none: item.none,
  passOver: linesOf(item.pass_over),
  epoch: BigInt(`0x${item.epoch}`),
  ...(item.device_key === null ? {} : { deviceKey: bytesOf(item.device_key) }),
});

/** @param {any} item */
const bundleOf = (item) => item.bundle ?? "words-64.hushbit";

/** @type {Set<string>} */
const names = new Set(vectors.cases.map(bundleOf));
for (const name of names) {
  test(`reports over ${name}`, async (t) => {
    const { bundle, random } = await openGiven(name);
    const cases = vectors.cases.filter((/** @type {any} */ item) => bundleOf(item) === name);
    for (const item of cases) {
      await t.test(item.name, async () => {
        const reporter = bundle.reporter(optionsOf(item));
        if (item.seed !== null) random.seed(bytesOf(item.seed));
        const report =
          item.text !== undefined
            ? await reporter.report(textOf(item.text))
            : item.word !== undefined
              ? await reporter.reportWord(textOf(item.word))
              : await reporter.reportValue(item.value);
        assert.equal(report.report, item.report);
        assert.equal(report.values, item.hash.slice(0, 16));
        assert.deepEqual([report.epsilon, report.version], [item.epsilon, 1]);
        assert.equal(reporter.info.hash, item.hash);
        assert.ok(reporter.info.effectiveEpsilon <= item.epsilon);
        assert.ok(report.report < reporter.info.reports);
        reporter.dispose();
      });
    }
  });
}

test("values have spellings, and none has an empty one", async () => {
  const { bundle } = await openGiven("words-64.hushbit");
  const emoji = bundle.reporter({ values: "emoji" });
  assert.equal(emoji.value(0), "");
  assert.match(emoji.value(1), /\p{Emoji}/u);
  const answers = bundle.reporter({ values: ["yes", "no", "perhaps"], none: true });
  const spelled = [0, 1, 2, 3].map((value) => answers.value(value));
  assert.deepEqual(spelled, ["", "yes", "no", "perhaps"]);
  const words = bundle.reporter();
  assert.ok(bundle.find(words.value(1)) !== null);
  assert.throws(() => words.value(words.info.valueCount), { status: "INVALID_ARGUMENT" });
});

test("what cannot be reported is refused", async () => {
  const { bundle, random } = await openGiven("words-64.hushbit");
  random.seed(new Uint8Array(32));
  for (const options of [
    { epsilon: 0 },
    { epsilon: 17 },
    { values: "verbs" },
    { values: ["only"] },
    { values: ["a", "a"] },
    { values: ["a\nb", "c"] },
    { passOver: "the" },
    { none: true, mechanism: "brr" },
  ]) {
    assert.throws(() => bundle.reporter(/** @type {any} */ (options)), { status: "INVALID_ARGUMENT" });
  }
  const answers = bundle.reporter({ values: ["yes", "no"] });
  await assert.rejects(answers.report("perhaps"), { status: "UNKNOWN_WORD" });
  await assert.rejects(answers.report(/** @type {any} */ (1)), { status: "INVALID_ARGUMENT" });
  for (const value of [2, -1, 0.5]) await assert.rejects(answers.reportValue(value), { status: "INVALID_ARGUMENT" });
  await assert.rejects(answers.reportWord("yes"), { status: "INVALID_ARGUMENT" });
  random.fail();
  await assert.rejects(answers.report("yes"), { status: "RANDOMNESS_FAILED" });
  bundle.dispose();
  await assert.rejects(answers.report("yes"), { status: "INVALID_ARGUMENT" });
});

test("a report costs the epsilon of its text and one token", async () => {
  const { bundle, random } = await openGiven("words-64.hushbit");
  random.seed(new Uint8Array(32));
  const budget = await Budget.open({ store: new MemoryStore(), worstCaseLifetime: 4 });
  const reporter = bundle.reporter({ budget });
  await reporter.report("a long text about cats");
  await reporter.reportValue(0);
  await assert.rejects(reporter.report("cat"), { status: "BUDGET_EXHAUSTED" });
  const { worstCaseLifetime, tokensLifetime } = await budget.state();
  assert.deepEqual([worstCaseLifetime, tokensLifetime], [4, 2]);
});
