// The playground: a page where anyone can see what Hushbit makes of a sentence. Nothing leaves the page.

import { HushbitError, load } from "../src/index.js";
import { HushbitShare } from "../src/share.js";

/**
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
function find(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page lacks ${id}`);
  return found;
}

const page = {
  form: find("form", HTMLFormElement),
  text: find("text", HTMLTextAreaElement),
  mechanism: find("mechanism", HTMLSelectElement),
  epsilon: find("epsilon", HTMLInputElement),
  epsilonShown: find("epsilon-shown", HTMLOutputElement),
  epsilonHelp: find("epsilon-help", HTMLElement),
  crowd: find("crowd", HTMLSelectElement),
  crowdChoice: find("crowd-choice", HTMLElement),
  press: find("press", HTMLButtonElement),
  status: find("status", HTMLElement),
  result: find("result", HTMLElement),
  released: find("released", HTMLElement),
  total: find("total", HTMLElement),
  words: find("words", HTMLTableSectionElement),
  repeats: find("repeats", HTMLElement),
  repeatsText: find("repeats-text", HTMLElement),
  ten: find("ten", HTMLButtonElement),
  tallies: find("tallies", HTMLTableSectionElement),
  sent: find("sent", HTMLElement),
};

/** @type {Record<import("../src/index.js").Mechanism, { name: string, most: number, help: string }>} */
const MECHANISMS = {
  crowd: { name: "Crowds", most: 12, help: "Counted per word, the same for any two words. Less hides more." },
  brr: { name: "Noise on bits (BRR)", most: 2, help: "Counted per bit in which two words differ. Less hides more." },
  tem: {
    name: "Near words by distance (TEM)",
    most: 1,
    help: "Counted per bit in which two words differ. Less hides more.",
  },
};
const STEPS = 200;
const SHOWN_OF_CROWD = 8;
const MANY = 10;

/** The releases of one text with the same options. */
class Tally {
  presses = 0;
  cost = 0;
  /** @type {Map<string, number>[]} for each token, its replacements and their counts */
  counts = [];

  /** @param {import("../src/index.js").Released} released */
  add({ text, tokens, cost }) {
    this.presses += 1;
    this.cost += cost.worstCase;
    tokens.forEach(({ outputBegin, outputEnd }, i) => {
      const became = text.slice(outputBegin, outputEnd);
      this.counts[i] ??= new Map();
      this.counts[i].set(became, (this.counts[i].get(became) ?? 0) + 1);
    });
  }

  /** @param {number} token */
  mostOften(token) {
    return [...this.counts[token]].reduce((best, each) => (each[1] > best[1] ? each : best));
  }
}

/**
 * @param {keyof HTMLElementTagNameMap} name
 * @param {string | Node} content
 * @param {string} [className]
 */
function element(name, content, className = "") {
  const made = document.createElement(name);
  made.append(content);
  made.className = className;
  return made;
}

/** @param {number} value */
const shown = (value) => (Number.isFinite(value) ? value.toPrecision(3).replace(/\.?0+$/, "") : "infinite");

class Playground {
  /** @type {import("../src/index.js").Privatizer | undefined} */
  #privatizer;
  #tally = new Tally();
  #bundle;

  /** @param {import("../src/index.js").Bundle} bundle */
  constructor(bundle) {
    this.#bundle = bundle;
    const names = /** @type {(keyof typeof MECHANISMS)[]} */ (Object.keys(MECHANISMS));
    for (const name of names.filter((each) => bundle.info.defaultEpsilons[each] !== undefined)) {
      page.mechanism.append(new Option(MECHANISMS[name].name, name, false, name === bundle.info.defaultMechanism));
    }
    page.crowd.value = bundle.info.defaultCrowd ?? "many";
    page.epsilon.min = "0";
    page.epsilon.max = String(STEPS);
    page.mechanism.addEventListener("change", () => this.#startAtDefault());
    page.epsilon.addEventListener("input", () => this.#choose());
    page.crowd.addEventListener("change", () => this.#choose());
    page.text.addEventListener("input", () => this.#forget());
    page.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#press(1);
    });
    page.ten.addEventListener("click", () => void this.#press(MANY));
    this.#startAtDefault();
    page.press.disabled = false;
    page.status.textContent = `Ready: ${bundle.info.words.toLocaleString("en")} words are known.`;
  }

  get #mechanism() {
    return /** @type {import("../src/index.js").Mechanism} */ (page.mechanism.value);
  }

  get #epsilon() {
    return (Number(page.epsilon.value) / STEPS) * MECHANISMS[this.#mechanism].most;
  }

  #startAtDefault() {
    const { most, help } = MECHANISMS[this.#mechanism];
    page.epsilon.value = String(Math.round(((this.#bundle.info.defaultEpsilons[this.#mechanism] ?? 0) / most) * STEPS));
    page.epsilonHelp.textContent = help;
    page.crowdChoice.hidden = this.#mechanism !== "crowd";
    this.#choose();
  }

  #choose() {
    const epsilon = this.#epsilon;
    page.epsilonShown.textContent = shown(epsilon);
    page.epsilon.setAttribute("aria-valuetext", shown(epsilon));
    const crowd = /** @type {import("../src/index.js").CrowdSize} */ (page.crowd.value);
    const next = this.#bundle.privatizer({
      mechanism: this.#mechanism,
      epsilon,
      allowUnchanged: true, // to see what a large epsilon does is what the page is for
      ...(this.#mechanism === "crowd" ? { crowd } : {}),
    });
    this.#privatizer?.dispose();
    this.#privatizer = next;
    this.#forget();
    const share = document.querySelector("hushbit-share");
    if (share instanceof HushbitShare) share.privatizer = next;
  }

  #forget() {
    this.#tally = new Tally();
    page.result.hidden = true;
    page.repeats.hidden = true;
  }

  /** @param {number} times */
  async #press(times) {
    const privatizer = this.#privatizer;
    if (privatizer === undefined) return;
    const typed = page.text.value;
    const tally = this.#tally;
    /** @type {import("../src/index.js").Released | undefined} */
    let released;
    for (let i = 0; i < times; ++i) {
      released = await privatizer.privatize(typed);
      tally.add(released);
    }
    if (released === undefined || tally !== this.#tally) return;
    this.#showReleased(privatizer, typed, released);
    this.#showTally(typed, released.tokens);
  }

  /**
   * @param {import("../src/index.js").Privatizer} privatizer
   * @param {string} typed
   * @param {import("../src/index.js").Released} released
   */
  #showReleased(privatizer, typed, { text, tokens, cost }) {
    page.result.hidden = false;
    page.released.textContent = text === "" ? "(nothing)" : text;
    page.total.textContent = `It costs ${shown(cost.worstCase)} at worst and ${shown(cost.average)} on average, for ${
      cost.words + cost.unknown
    } words.`;
    page.words.replaceChildren(
      ...tokens.map((token) => {
        const word = typed.slice(token.begin, token.end);
        const became = text.slice(token.outputBegin, token.outputEnd);
        const row = document.createElement("tr");
        const kept = became === word.toLowerCase();
        row.append(
          element("th", word),
          element("td", became === "" ? "left out" : became, kept ? "" : "changed"),
          element("td", became === "" ? "" : this.#crowdOf(privatizer, token)),
          element("td", became === "" ? "0" : shown(privatizer.info.worstCasePerToken)),
        );
        row.firstElementChild?.setAttribute("scope", "row");
        return row;
      }),
    );
  }

  /**
   * @param {import("../src/index.js").Privatizer} privatizer
   * @param {import("../src/index.js").Token} token
   * @returns {string | Node}
   */
  #crowdOf(privatizer, token) {
    if (token.wordId === null) return "unknown word: any word";
    const members = privatizer.crowd(token.wordId);
    if (members.length === 0) return "any word, near words more likely";
    const details = document.createElement("details");
    const likeliest = members.slice(0, SHOWN_OF_CROWD).map(({ wordId, probability }) => {
      return `${this.#bundle.word(wordId)} ${shown(100 * probability)} %`;
    });
    const more = members.length > SHOWN_OF_CROWD ? ", …" : "";
    details.append(
      element("summary", members.length === 1 ? "only the word" : `${members.length} words`),
      likeliest.join(", ") + more,
    );
    return details;
  }

  /**
   * @param {string} typed
   * @param {import("../src/index.js").Token[]} tokens
   */
  #showTally(typed, tokens) {
    const tally = this.#tally;
    const places = tokens.map((token, i) => ({ token, i })).filter(({ token }) => token.outputEnd > token.outputBegin);
    page.repeats.hidden = false;
    let right = 0;
    const rows = places.map(({ token, i }) => {
      const word = typed.slice(token.begin, token.end);
      const [became, count] = tally.mostOften(i);
      right += Number(became === word.toLowerCase());
      const row = document.createElement("tr");
      row.append(element("th", word), element("td", became), element("td", `${count} of ${tally.presses}`));
      row.firstElementChild?.setAttribute("scope", "row");
      return row;
    });
    page.tallies.replaceChildren(...rows);
    const times = tally.presses === 1 ? "1 press" : `${tally.presses} presses`;
    page.repeatsText.textContent =
      `After ${times}, the most frequent replacement is the right word for ${right} of ${places.length} words. ` +
      `Together they cost ${shown(tally.cost)} at worst: every press costs the same amount again.`;
  }
}

/** @param {unknown} error */
function fail(error) {
  const what = error instanceof HushbitError ? error.message : "this browser lacks something that the page needs";
  page.status.textContent = `The words could not be loaded: ${what}`;
}

document.addEventListener("hushbit-release", (event) => {
  const { text } = /** @type {CustomEvent<import("../src/share.js").Release>} */ (event).detail;
  page.sent.textContent = `An app would now send: ${text}`;
});

/** For use without a network: the service worker keeps everything that was loaded. */
async function keepForOffline() {
  await navigator.serviceWorker.register("offline.js");
  const { active } = await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  active?.postMessage([location.href, ...loaded]);
}

const named = new URLSearchParams(location.search).get("bundle");
load(named === null ? undefined : new URL(named, location.href)).then((bundle) => {
  new Playground(bundle);
  if (navigator.serviceWorker !== undefined) keepForOffline().catch(() => {}); // then it works, but needs the network
}, fail);
