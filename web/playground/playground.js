// The playground: a page where anyone can see what Hushbit makes of a sentence. Nothing leaves the page.

import { HushbitShare } from "../src/share.js";
import { drawChart } from "./chart.js";
import { codeFor } from "./code.js";
import { Core, Panel } from "./core.js";
import { LEVELS, USUAL, rightAtMost } from "./levels.js";
import { copy, element, page, shown, whole } from "./page.js";
import { showWords } from "./words.js";

/** @typedef {import("../src/index.js").Mechanism} Mechanism */

const EXAMPLES = {
  "A complaint": "They charged my card twice for the same ticket.",
  "A doctor’s visit": "My doctor says the blood test came back fine.",
  Family: "Grandma is in the hospital, please call me tonight.",
  Emoji: "Happy birthday! See you at the beach tomorrow 👨‍👩‍👧 👍🏽",
};
/** @type {Record<Mechanism, { name: string, most: number, help: string }>} */
const MECHANISMS = {
  crowd: { name: "Crowds", most: 12, help: "Counted for each word, the same for any two words. Less hides more." },
  brr: { name: "Noise on bits (BRR)", most: 2, help: "Counted for each bit in which two words differ." },
  tem: { name: "Near words by distance (TEM)", most: 1, help: "Counted for each bit in which two words differ." },
};
const STEPS = 200;
const TEN = 10;
const TYPING_MS = 250;

/**
 * The bundle's epsilon for a mechanism; 0 if it has none.
 * @param {import("../src/index.js").BundleInfo} info
 * @param {import("../src/index.js").Mechanism} mechanism
 */
function defaultEpsilon(info, mechanism) {
  if (mechanism === info.defaultMechanism) return info.defaultEpsilon;
  return { brr: info.defaultEpsilonBrr, tem: info.defaultEpsilonTem, crowd: 0 }[mechanism];
}

class Playground {
  #core;
  #info;
  /** @type {{ texts: number, stops: { named: number, namedByWords: number }[] }} */
  #guesses;
  #fail = (/** @type {Error} */ error) => this.#say(`That did not work: ${error.message}`, true);
  #people = new Panel(this.#fail);
  #gist = new Panel(this.#fail);
  #words = new Panel(this.#fail);
  #typing = 0;
  #released = "";
  #refused = false;

  /**
   * @param {Core} core
   * @param {import("../src/index.js").BundleInfo} info
   * @param {{ texts: number, stops: { named: number, namedByWords: number }[] }} guesses
   */
  constructor(core, info, guesses) {
    this.#core = core;
    this.#info = info;
    this.#guesses = guesses;
    const names = /** @type {Mechanism[]} */ (Object.keys(MECHANISMS));
    for (const name of names.filter((each) => defaultEpsilon(info, each) > 0)) {
      page.mechanism.append(new Option(MECHANISMS[name].name, name, false, name === info.defaultMechanism));
    }
    page.crowd.value = info.defaultCrowdSize ?? "many";
    page.level.value = String(USUAL);
    this.#listen();
    this.#startOfLevel();
    this.#startOfMechanism(false);
    page.press.disabled = false;
    page.ten.disabled = false;
    document.body.classList.add("ready");
    this.#refresh();
    this.#share();
  }

  get #level() {
    return LEVELS[Number(page.level.value)];
  }

  get #mechanism() {
    return /** @type {Mechanism} */ (page.mechanism.value);
  }

  get #epsilon() {
    return (Number(page.epsilon.value) / STEPS) * MECHANISMS[this.#mechanism].most;
  }

  /** @returns {import("../src/index.js").PrivatizerOptions} */
  get #options() {
    const crowdSize = /** @type {import("../src/index.js").CrowdSize} */ (page.crowd.value);
    return {
      mechanism: this.#mechanism,
      epsilon: this.#epsilon,
      ...(this.#mechanism === "crowd" ? { crowdSize } : {}),
    };
  }

  #listen() {
    for (const [name, text] of Object.entries(EXAMPLES)) {
      const chip = /** @type {HTMLButtonElement} */ (element("button", name));
      chip.type = "button";
      chip.addEventListener("click", () => {
        page.text.value = text;
        this.#refreshTexts();
      });
      page.examples.append(chip);
    }
    page.text.addEventListener("input", () => {
      clearTimeout(this.#typing);
      this.#typing = window.setTimeout(() => this.#refreshTexts(), TYPING_MS);
    });
    page.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#refresh();
    });
    page.level.addEventListener("input", () => {
      this.#startOfLevel();
      this.#refresh();
    });
    page.people.addEventListener("change", () => this.#refreshPeople());
    page.mechanism.addEventListener("change", () => this.#startOfMechanism(true));
    page.epsilon.addEventListener("input", () => this.#chooseWords());
    page.crowd.addEventListener("change", () => this.#chooseWords());
    page.ten.addEventListener("click", () => void this.#words.refresh(() => this.#repeat()));
    page.copy.addEventListener("click", () => void copy(page.copy, this.#released));
    page.copyCode.addEventListener("click", () => void copy(page.copyCode, page.code.textContent ?? ""));
    for (const radio of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[type=radio]"))) {
      radio.addEventListener("change", () => {
        if (radio.name === "view") page.main.dataset.view = radio.value;
        else this.#showCode();
      });
    }
  }

  // ---- Settings

  #startOfLevel() {
    const { text, word, name } = this.#level;
    page.levelShown.textContent = `ε ${text} for the whole text`;
    page.level.setAttribute("aria-valuetext", `${name}: epsilon ${text} for the whole text, ${word} for each word`);
    if (this.#mechanism === "crowd") this.#setEpsilon(word);
    this.#showGuesses();
  }

  #showGuesses() {
    const { texts, stops } = this.#guesses;
    const { named, namedByWords } = stops[Number(page.level.value)];
    const { text } = this.#level;
    const usual = this.#mechanism === "crowd" && this.#epsilon === this.#level.word && page.crowd.value === "many";
    page.named.textContent = few(named * texts);
    page.worded.textContent = usual ? few(namedByWords * texts) : "?";
    setGauge(page.chance, 1 / texts);
    setGauge(page.namedGauge, named);
    setGauge(page.wordedGauge, usual ? namedByWords : 0);
    const most = Math.ceil(texts * rightAtMost(text, texts));
    page.bound.textContent = `Nobody can do better than ${most} from one release.`;
  }

  /** @param {boolean} chosen by the person, not at the start */
  #startOfMechanism(chosen) {
    const { help } = MECHANISMS[this.#mechanism];
    page.epsilonHelp.textContent = help;
    page.crowdChoice.hidden = this.#mechanism !== "crowd";
    const usual = defaultEpsilon(this.#info, this.#mechanism);
    this.#setEpsilon(this.#mechanism === "crowd" ? this.#level.word : usual);
    if (chosen) this.#chooseWords();
  }

  /** @param {number} epsilon of words */
  #setEpsilon(epsilon) {
    page.epsilon.value = String(Math.round((epsilon / MECHANISMS[this.#mechanism].most) * STEPS));
    this.#showEpsilon();
  }

  #showEpsilon() {
    page.epsilonShown.textContent = shown(this.#epsilon);
    page.epsilon.setAttribute("aria-valuetext", shown(this.#epsilon));
  }

  #chooseWords() {
    this.#showEpsilon();
    this.#showGuesses();
    this.#refreshWords();
    this.#share();
  }

  // ---- Releases

  #refresh() {
    this.#refreshPeople();
    this.#refreshTexts();
  }

  #refreshTexts() {
    this.#refreshWords();
    void this.#gist.refresh(() => this.#showGist());
  }

  #refreshPeople() {
    void this.#people.refresh(() => this.#showPeople());
  }

  #refreshWords() {
    page.repeats.hidden = true;
    void this.#words.refresh(() => this.#showWords());
  }

  async #showPeople() {
    const people = Number(page.people.value);
    const { text } = this.#level;
    const { rows, right } = await this.#core.ask("people", { people, epsilon: text });
    drawChart(page.counts, rows);
    page.manyFoot.textContent =
      `${whole(people)} reports at ε ${text}, drawn in this page just now. Were all answers as frequent, a guess ` +
      `from one report would be right in ${whole(100 * right)} of 100 cases, by chance in ${whole(100 / rows.length)}.`;
  }

  async #showGist() {
    const { text } = this.#level;
    try {
      const gist = await this.#core.ask("gist", { text: page.text.value, epsilon: text });
      page.gistIndex.textContent = `number ${whole(gist.index)} of ${whole(gist.directions)}`;
      page.gistPeople.textContent = `${whole(gist.people)} simulated people with the same text`;
      page.gistOne.replaceChildren(...gist.words.map((/** @type {string} */ word) => element("li", word)));
      page.gistMany.replaceChildren(...gist.together.map((/** @type {string} */ word) => element("li", word)));
      page.oneFoot.textContent =
        `Any two texts give each number with chances that differ at most by the factor ${shown(Math.exp(text))}, ` +
        `which is e to the power of ε. So the length of a text is hidden, too.`;
    } catch (error) {
      page.gists.hidden = true;
      page.oneFoot.textContent = /** @type {Error} */ (error).message;
    }
  }

  async #showWords() {
    const { rows, more, text, cost, refused } = await this.#core.ask("words", {
      text: page.text.value,
      options: this.#options,
    });
    this.#released = text;
    this.#refused = refused;
    const replaced = cost.words + cost.unknown;
    showWords(rows, more);
    page.copy.disabled = text === "";
    const unit = this.#mechanism === "crowd" ? `, ${shown(this.#epsilon)} for each of ${whole(replaced)} words` : "";
    page.wordsFoot.textContent =
      `It costs ε ${shown(cost.worstCase)} at worst${unit}. ` +
      "The number of words and their order can be seen, so prefer the other two.";
    this.#say(`Made private: ${whole(replaced)} words.`);
    this.#showCode();
  }

  async #repeat() {
    const { rows, spent } = await this.#core.ask("repeat", {
      text: page.text.value,
      options: this.#options,
      times: TEN,
    });
    /** @type {HTMLElement[]} */
    const shownRows = rows.map((/** @type {{ typed: string, became: string, often: number }} */ each) => {
      const row = element("tr", element("th", each.typed));
      row.firstElementChild?.setAttribute("scope", "row");
      row.append(element("td", each.became), element("td", `${each.often} of ${TEN}`));
      return row;
    });
    page.tallies.replaceChildren(...shownRows);
    page.repeats.hidden = false;
    const right = rows.filter((/** @type {{ right: boolean }} */ each) => each.right).length;
    page.repeatsText.textContent =
      `Of ${TEN} releases, the most frequent word is the right one for ${right} of ${rows.length} words. ` +
      `Together they cost ε ${shown(spent)} at worst.`;
  }

  #showCode() {
    const chosen = /** @type {HTMLInputElement} */ (document.querySelector("[name=language]:checked")).value;
    const mechanism = this.#mechanism;
    const word = Number(shown(this.#epsilon));
    const { defaultMechanism, defaultEpsilon } = this.#info;
    page.code.textContent = codeFor(/** @type {"python"} */ (chosen), {
      text: this.#level.text,
      mechanism,
      word,
      usual: mechanism === defaultMechanism && word === defaultEpsilon,
      refused: this.#refused,
    });
  }

  #share() {
    const share = document.querySelector("hushbit-share");
    if (!(share instanceof HushbitShare)) return;
    const options = this.#options;
    share.privatizer = {
      privatize: (text) => this.#core.ask("share", { text, options }),
      tokenize: (text) => this.#core.ask("tokenize", { text }),
    };
  }

  /** @param {string} what @param {boolean} [failed] */
  #say(what, failed = false) {
    page.failure.hidden = !failed;
    (failed ? page.failure : page.status).textContent = what;
  }
}

/** A number of cases, with a digit more where there are few. @param {number} cases */
const few = (cases) => (cases < 10 ? cases.toFixed(1) : whole(cases));

/** @param {HTMLElement} gauge @param {number} share 0 to 1 */
function setGauge(gauge, share) {
  gauge.style.backgroundSize = `${100 * share}% 100%`;
}

document.addEventListener("hushbit-release", (event) => {
  const { text } = /** @type {CustomEvent<import("../src/share.js").Release>} */ (event).detail;
  page.sent.textContent = `An app would now send: ${text}`;
});

/** For use without a network: the service worker keeps everything that was loaded. @param {string[]} byWorker */
async function keepForOffline(byWorker) {
  await navigator.serviceWorker.register("offline.js");
  const { active } = await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const own = ["worker.js", "people.js", "tokens.js", "../src/index.js"].map(
    (name) => new URL(name, location.href).href,
  );
  active?.postMessage([location.href, ...own, ...loaded, ...byWorker]);
}

async function start() {
  const named = new URLSearchParams(location.search).get("bundle");
  const core = new Core();
  const source = named === null ? undefined : new URL(named, location.href).href;
  const [{ info, loaded }, guesses] = await Promise.all([
    core.ask("open", { source }),
    fetch("guesses.json").then((response) => response.json()),
  ]);
  new Playground(core, info, guesses);
  if (navigator.serviceWorker !== undefined) keepForOffline(loaded).catch(() => {}); // then it needs the network
}

start().catch((/** @type {Error} */ error) => {
  page.failure.hidden = false;
  page.failure.textContent = `The words could not be loaded: ${error.message}`;
  page.status.textContent = "";
});
