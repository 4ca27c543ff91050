// A text, word by word: what was typed above what it became.

import { element, page, whole } from "./page.js";

/** @typedef {import("./worker.js").Row} Row */

/** What a row says besides its color, for those who hear it. @type {Record<import("./worker.js").Fate, string>} */
const FATES = {
  near: "a near word",
  noise: "noise",
  any: "any word, near words more likely",
  unknown: "an unknown word, so noise",
  same: "came through",
  "left-out": "left out",
};

/**
 * @param {Row[]} rows
 * @param {number} more how many tokens are not among them
 */
export function showWords(rows, more) {
  page.words.replaceChildren(...rows.map(pairOf));
  page.more.textContent = more > 0 ? `And ${whole(more)} more, which are not shown here.` : "";
  page.likely.textContent = "";
}

/** @param {Row} row */
function pairOf(row) {
  const { typed, became, fate, likely } = row;
  const pair = element(likely.length > 0 ? "button" : "span", element("span", typed, "typed"), `pair ${colorOf(fate)}`);
  const arrow = element("span", " became ", "unseen");
  const said = element("span", `, ${FATES[fate]}`, "unseen");
  pair.append(arrow, element("span", became === "" ? "–" : became, "became"), said);
  if (pair instanceof HTMLButtonElement) {
    pair.type = "button";
    pair.title = "What may it become?";
    pair.addEventListener("click", () => showLikely(row));
  }
  return element("li", pair);
}

/** @param {import("./worker.js").Fate} fate */
function colorOf(fate) {
  return fate === "unknown" ? "noise" : fate === "any" ? "near" : fate;
}

/** @param {Row} row */
function showLikely({ typed, crowd, likely }) {
  const words = crowd === 1 ? "Only the word itself" : `${whole(crowd)} words`;
  const more = crowd > likely.length ? ", …" : "";
  page.likely.textContent = `“${typed}” may become any word. ${words} are likelier: ${likely.join(", ")}${more}.`;
}
