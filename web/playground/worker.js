// The worker of the playground: the core, and all that takes time. Answers come back as messages.

import { sumOfCosts } from "../src/costs.js";
import { HushbitError, load } from "../src/index.js";
import { ANSWERS, Design, trueCounts } from "./people.js";
import { rowsOf } from "./tokens.js";

/**
 * @typedef {import("../src/index.js").PrivatizerOptions} PrivatizerOptions
 * @typedef {import("../src/index.js").Token} Token
 * @typedef {"same" | "near" | "noise" | "any" | "unknown" | "left-out"} Fate what became of a word: it came through,
 *   a word of its crowd, one from anywhere, one by a mechanism without crowds, noise for an unknown word, nothing
 * @typedef {{ typed: string, became: string, fate: Fate, crowd: number, likely: string[] }} Row
 */

const ROWS = 200;
const LIKELY = 8;
const NEAREST = 7;
const SAME_TEXT = 1000;
const PATIENCE_MS = 700;

/** @type {import("../src/index.js").Bundle} */
let bundle;

const METHODS = {
  /** @param {{ source?: string }} request */
  async open({ source }) {
    bundle = await load(source);
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    return { info: bundle.info, loaded };
  },

  /**
   * Words in place of the words of a text.
   * @param {{ text: string, options: PrivatizerOptions }} request
   */
  words: ({ text, options }) =>
    lent(privatizerOf(options), async (privatizer) => {
      const released = await privatizer.privatize(text);
      const shown = rowsOf(text, released.tokens, ROWS);
      const rows = shown.map((tokens) => readRow(privatizer, text, released.text, tokens));
      const tokens = shown.reduce((sum, each) => sum + each.length, 0);
      const { cost } = released;
      return { text: released.text, rows, more: released.tokens.length - tokens, cost, refused: isRefused(options) };
    }),

  /**
   * One release of a whole text, and what many of the same text tell.
   * @param {{ text: string, epsilon: number }} request
   */
  gist: ({ text, epsilon }) =>
    lent(bundle.embedder({ epsilon }), async (embedder) => {
      const spelled = (/** @type {ArrayLike<number>} */ direction) =>
        embedder.nearestWords(direction, NEAREST).map(({ word }) => word);
      const one = await embedder.embed(text);
      const sum = Float64Array.from(one.direction);
      let people = 1;
      for (const end = performance.now() + PATIENCE_MS; people < SAME_TEXT && performance.now() < end; ++people) {
        const { direction } = await embedder.embed(text);
        for (let i = 0; i < sum.length; ++i) sum[i] += direction[i];
      }
      const { directions } = embedder.info;
      return { index: one.index, directions, words: spelled(one.direction), people, together: spelled(sum) };
    }),

  /**
   * One report of each of many simulated people, counted.
   * @param {{ people: number, epsilon: number }} request
   */
  people: ({ people, epsilon }) =>
    lent(bundle.reporter({ values: ANSWERS.map(([name]) => name), epsilon }), async (reporter) => {
      const design = new Design(reporter.info);
      const tally = new Array(design.reports).fill(0);
      const typed = trueCounts(people);
      for (const [value, holders] of typed.entries()) {
        for (let i = 0; i < holders; ++i) tally[(await reporter.reportValue(value)).report] += 1;
      }
      const counted = design.count(tally, ANSWERS.length);
      const rows = ANSWERS.map(([name], i) => ({ name, typed: typed[i], ...counted[i] }));
      return { rows, right: design.right(ANSWERS.length) };
    }),

  /**
   * Many releases of one text, word by word.
   * @param {{ text: string, options: PrivatizerOptions, times: number }} request
   */
  repeat: ({ text, options, times }) =>
    lent(privatizerOf(options), async (privatizer) => {
      /** @type {Map<string, number>[]} */
      const counts = [];
      let spent = 0;
      /** @type {Token[]} */
      let tokens = [];
      for (let i = 0; i < times; ++i) {
        const released = await privatizer.privatize(text);
        spent = sumOfCosts(spent, released.cost.worstCase);
        tokens = released.tokens.slice(0, ROWS);
        tokens.forEach(({ outputBegin, outputEnd }, at) => {
          const became = released.text.slice(outputBegin, outputEnd);
          counts[at] ??= new Map();
          counts[at].set(became, (counts[at].get(became) ?? 0) + 1);
        });
      }
      const replaced = tokens.map((token, i) => ({ token, counts: counts[i] })).filter(({ counts }) => !counts.has(""));
      const rows = replaced.map(({ token, counts }) => {
        const [became, often] = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best));
        const typed = text.slice(token.utf16Begin, token.utf16End);
        return { typed, became, often, right: became === typed.toLowerCase() };
      });
      return { rows, spent };
    }),

  /**
   * For the element that shares: what it needs of a privatizer.
   * @param {{ text: string, options: PrivatizerOptions }} request
   */
  share: ({ text, options }) => lent(privatizerOf(options), (privatizer) => privatizer.privatize(text)),

  /** @param {{ text: string }} request */
  async tokenize({ text }) {
    return bundle.tokenize(text);
  },
};

/** Also one that changes few words: people want to see that. @param {PrivatizerOptions} options */
const privatizerOf = (options) => bundle.privatizer({ ...options, allowUnchanged: true });

/**
 * What `work` makes of something that is disposed afterwards.
 * @template {{ dispose: () => void }} User
 * @template Answer
 * @param {User} user
 * @param {(user: User) => Promise<Answer>} work
 * @returns {Promise<Answer>}
 */
async function lent(user, work) {
  try {
    return await work(user);
  } finally {
    user.dispose();
  }
}

/**
 * @param {import("../src/index.js").Privatizer} privatizer
 * @param {string} text
 * @param {string} released
 * @param {Token[]} tokens of one row
 * @returns {Row}
 */
function readRow(privatizer, text, released, tokens) {
  const typed = text.slice(tokens[0].utf16Begin, tokens[tokens.length - 1].utf16End);
  const became = tokens.map(({ outputBegin, outputEnd }) => released.slice(outputBegin, outputEnd)).join("");
  const { wordId } = tokens[0];
  if (became === "") return { typed, became, fate: "left-out", crowd: 0, likely: [] };
  const members = wordId === null ? [] : privatizer.crowd(wordId);
  const likely = members
    .slice(0, LIKELY)
    .map(({ wordId, probability }) => `${bundle.word(wordId)} ${(100 * probability).toPrecision(2)} %`);
  return { typed, became, fate: fateOf(typed, became, wordId, members), crowd: members.length, likely };
}

/**
 * @param {string} typed
 * @param {string} became
 * @param {number | null} wordId
 * @param {{ wordId: number }[]} members of its crowd
 * @returns {Fate}
 */
function fateOf(typed, became, wordId, members) {
  if (became === typed.toLowerCase()) return "same";
  if (wordId === null) return "unknown";
  if (members.length === 0) return "any";
  const at = bundle.find(became);
  return members.some((member) => member.wordId === at) ? "near" : "noise";
}

/** Whether the library refuses the options without `allowUnchanged`. @param {PrivatizerOptions} options */
function isRefused(options) {
  try {
    bundle.privatizer(options).dispose();
    return false;
  } catch (error) {
    if (error instanceof HushbitError && error.status === "INVALID_ARGUMENT") return true;
    throw error;
  }
}

addEventListener("message", async ({ data: { id, method, ...request } }) => {
  try {
    const answer = /** @type {(request: any) => Promise<unknown>} */ (METHODS[/** @type {"open"} */ (method)]);
    postMessage({ id, value: await answer(request) });
  } catch (error) {
    const known = error instanceof HushbitError;
    postMessage({ id, failure: known ? error.message : "this browser lacks something that the page needs" });
  }
});
