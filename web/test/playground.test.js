// What the playground computes besides the core: rows, counts, and what a reader guesses at most.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { LANGUAGES, codeFor } from "../playground/code.js";
import { LEVELS, rightAtMost } from "../playground/levels.js";
import { ANSWERS, Design, trueCounts } from "../playground/people.js";
import { rowsOf } from "../playground/tokens.js";
import { load } from "../src/index.js";
import { readVector } from "./support.js";

const guesses = JSON.parse(readFileSync(new URL("../playground/guesses.json", import.meta.url), "utf8"));

test("what looks like one character is one row", async () => {
  const bundle = await load(readVector("crowds-64.hushbit"));
  const typed = (/** @type {string} */ text, most = 200) =>
    rowsOf(text, bundle.tokenize(text), most).map((tokens) =>
      text.slice(tokens[0].utf16Begin, tokens[tokens.length - 1].utf16End),
    );
  assert.deepEqual(typed("the 👨‍👩‍👧 👍🏽❤️ cat"), ["the", "👨‍👩‍👧", "👍🏽", "❤️", "cat"]);
  assert.deepEqual(typed("the cat the cat", 3), ["the", "cat", "the"]);
  assert.deepEqual(typed(""), []);
  bundle.dispose();
});

test("counts are right on average, for each design that the slider has", async () => {
  const bundle = await load(readVector("crowds-64.hushbit"));
  const values = ANSWERS.map(([name]) => name);
  const typed = trueCounts(1000);
  assert.equal(
    typed.reduce((sum, each) => sum + each, 0),
    1000,
  );
  for (const { text } of LEVELS) {
    const reporter = bundle.reporter({ values, epsilon: text });
    const design = new Design(reporter.info);
    const tally = new Array(design.reports).fill(0);
    for (const [value, holders] of typed.entries()) {
      for (let i = 0; i < holders; ++i) tally[(await reporter.reportValue(value)).report] += 1;
    }
    // Seven standard deviations: of 40 counts one misses that in one of 10^10 runs.
    design.count(tally, values.length).forEach(({ count, deviation }, i) => {
      assert.ok(Math.abs(count - typed[i]) < 7 * deviation, `${count} for ${typed[i]} at ${text}`);
    });
  }
  bundle.dispose();
});

test("no guess is better than the bound, which reports of a short list reach", async () => {
  const bundle = await load(readVector("crowds-64.hushbit"));
  const values = ANSWERS.map(([name]) => name);
  for (const [i, { text, word }] of LEVELS.entries()) {
    const { info } = bundle.reporter({ values, epsilon: text });
    const [right, bound] = [new Design(info).right(values.length), rightAtMost(text, values.length)];
    assert.ok(right > 1 / values.length && right < bound + 1e-6, `${right} of ${bound}`);
    if (info.reports === values.length) assert.ok(right > bound - 1e-6, `${right} of ${bound}`);
    const stop = guesses.stops[i];
    assert.deepEqual([stop.text, stop.word], [text, word]);
    assert.ok(stop.named > 1 / guesses.texts && stop.named <= rightAtMost(text, guesses.texts), `${stop.named}`);
    assert.ok(stop.namedByWords > stop.named && stop.namedByWords <= 1);
  }
  bundle.dispose();
});

test("the code says what was chosen", () => {
  for (const language of /** @type {(keyof typeof LANGUAGES)[]} */ (Object.keys(LANGUAGES))) {
    const usual = codeFor(language, { text: 2, mechanism: "crowd", word: 6, usual: true, refused: false });
    const chosen = codeFor(language, { text: 2, mechanism: "tem", word: 0.75, usual: false, refused: true });
    assert.doesNotMatch(usual, /tem\b|crowd/i);
    assert.match(chosen, /tem\b/i);
    assert.match(chosen, /0\.75/);
    assert.match(chosen, /allow_?unchanged/i);
  }
});

/** The words of all sources of a language. @param {string} folder @param {string} ending */
function wordsOf(folder, ending) {
  const at = new URL(`../../${folder}/`, import.meta.url);
  const paths = readdirSync(at, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(ending));
  return new Set(paths.flatMap((path) => readFileSync(new URL(path, at), "utf8").match(/\w+/g) ?? []));
}

test("the code uses names that there are", () => {
  const sources = {
    python: wordsOf("python/hushbit", ".py"),
    javascript: wordsOf("web/src", ".js"),
    kotlin: wordsOf("android/hushbit/src/main", ".kt"),
    swift: wordsOf("ios", ".swift"),
  };
  for (const language of /** @type {(keyof typeof LANGUAGES)[]} */ (Object.keys(LANGUAGES))) {
    const code = codeFor(language, { text: 2, mechanism: "tem", word: 0.75, usual: false, refused: true });
    const words = code.replace(/(#|\/\/).*|"[^"]*"/g, "").match(/[A-Za-z]\w+/g) ?? [];
    assert.ok(words.length > 20);
    assert.deepEqual(
      words.filter((word) => !sources[language].has(word)),
      [],
      language,
    );
  }
});
