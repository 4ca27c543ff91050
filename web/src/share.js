// <hushbit-share>: adds to a text area a button "Share privately", a review of what will be sent, and an event with it.

import { sumOfCosts } from "./costs.js";
import { HushbitError, platform } from "./errors.js";
import { fieldPolicy } from "./field_policy.js";

export { fieldPolicy };

/**
 * The detail of the event `hushbit-release`. Only `text` may leave the device. `cost` is that of the text, `drawn` the
 * worst case of all texts that were drawn since the last event, this one included: what was thrown away was seen, too.
 * @typedef {{ text: string, cost: import("./result.js").Cost, drawn: number }} Release
 */

/** On a server there are no elements: there the module can be imported, and defines none. */
class NoElement {
  constructor() {
    platform("HTMLElement");
  }
}

const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? NoElement);

/** @type {CSSStyleSheet | undefined} */
let style;
const CSS = `
  :host { display: block; }
  [hidden] { display: none !important; }
  section { border: 1px solid; border-radius: 0.5em; margin-top: 0.5em; padding: 0.75em; }
  blockquote { font: inherit; margin: 0.5em 0; overflow-wrap: anywhere; white-space: pre-wrap; }
  h2 { font-size: 1em; margin: 0; }
  button { font: inherit; margin: 0.5em 0.5em 0 0; min-height: 2.75em; padding: 0 1em; }
  p { margin: 0.5em 0 0; }
`;

/** The reasons why a field is refused, for users. @type {Record<import("./field_policy.js").Decision, string>} */
const REASONS = {
  allowed: "",
  password: "This field contains a secret. It is never shared.",
  personal: "This field contains personal data, not running text. It is not shared.",
  "not-text": "This field does not contain text. It is not shared.",
  "no-suggestions": "This page asks not to learn from this field. It is not shared.",
  unknown: "There is no text field here that can be shared.",
};

/**
 * Wraps a `<textarea>` (or `<input type=text>`). Set `privatizer`; listen to `hushbit-release`.
 *
 * A text is drawn once. It can then be sent or thrown away, but not drawn again until its words are others: a choice
 * among draws would reveal more than the stated cost. Draws of other texts are counted in `drawn`. With a budget, the
 * cost is spent when the text is shown.
 */
export class HushbitShare extends Base {
  /** @type {Pick<import("./privatizer.js").Privatizer, "privatize" | "tokenize"> | undefined} */
  #privatizer;
  /** @type {Omit<Release, "drawn"> | undefined} */
  #release;
  /** @type {Set<string>} the words of every text that was drawn */
  #seen = new Set();
  #drawn = 0;
  #root = this.attachShadow({ mode: "open" });
  #button = element("button", { type: "button", part: "share" }, "Share privately");
  #status = element("p", { role: "status", part: "status" });
  #review = element("section", { part: "review", tabindex: "-1", "aria-label": "What will be sent" });
  #text = element("blockquote", { part: "text" });
  #cost = element("p", { part: "cost" });

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [styleSheet()];
    const send = element("button", { type: "button", part: "send" }, "Send this");
    const discard = element("button", { type: "button", part: "discard" }, "Throw it away");
    const slot = document.createElement("slot");
    this.#review.hidden = true;
    this.#review.append(
      element("h2", {}, "This, and nothing else, will be sent:"),
      this.#text,
      this.#cost,
      send,
      discard,
    );
    this.#root.append(slot, this.#button, this.#status, this.#review);
    this.#button.addEventListener("click", () => void this.#draw());
    send.addEventListener("click", () => this.#send());
    discard.addEventListener("click", () => this.#close("Thrown away. Nothing was sent."));
    slot.addEventListener("slotchange", () => this.#judge());
    this.addEventListener("input", () => this.#judge());
  }

  connectedCallback() {
    this.#judge();
  }

  /** The privatizer of the text. Without one the button is disabled. */
  get privatizer() {
    return this.#privatizer;
  }

  set privatizer(privatizer) {
    this.#privatizer = privatizer;
    this.#judge();
  }

  /** The field, or null. @returns {Element | null} */
  get field() {
    return this.querySelector("textarea, input");
  }

  /** @returns {boolean} whether the field may be shared */
  #judge() {
    const decision = fieldPolicy(this.field);
    this.#button.disabled = decision !== "allowed" || this.#privatizer === undefined;
    this.#status.textContent = REASONS[decision];
    if (decision !== "allowed") this.#close(REASONS[decision]);
    return !this.#button.disabled;
  }

  async #draw() {
    // Evaluated again, since a page may have changed the field meanwhile.
    if (!this.#judge() || this.#privatizer === undefined) return;
    const field = /** @type {HTMLTextAreaElement | HTMLInputElement} */ (this.field);
    if (field.value.trim() === "") {
      this.#status.textContent = "Write something first.";
      return;
    }
    this.#button.disabled = true;
    try {
      const typed = field.value;
      const words = wordsOf(typed, await this.#privatizer.tokenize(typed));
      if (this.#seen.has(words)) {
        this.#status.textContent = "This was drawn once already. Change its words to share something else.";
        this.#button.disabled = false;
        return;
      }
      this.#seen.add(words);
      const { text, cost } = await this.#privatizer.privatize(typed);
      this.#drawn = sumOfCosts(this.#drawn, cost.worstCase);
      this.#release = { text, cost };
      this.#text.textContent = text;
      this.#cost.textContent = `It costs ${round(cost.worstCase)} at worst, for ${cost.words + cost.unknown} words.`;
      this.#review.hidden = false;
      this.#review.focus();
    } catch (error) {
      this.#fail(error);
    }
  }

  #send() {
    if (this.#release === undefined) return;
    const detail = { ...this.#release, drawn: this.#drawn };
    this.#drawn = 0;
    this.#close("Sent.");
    this.dispatchEvent(new CustomEvent("hushbit-release", { detail, bubbles: true, composed: true }));
  }

  /** @param {string} status */
  #close(status) {
    const had = this.#release !== undefined;
    this.#release = undefined;
    this.#text.textContent = "";
    this.#review.hidden = true;
    if (!had) return;
    this.#status.textContent = status;
    this.#button.disabled = fieldPolicy(this.field) !== "allowed" || this.#privatizer === undefined;
    this.#button.focus();
  }

  /** @param {unknown} error */
  #fail(error) {
    const exhausted = error instanceof HushbitError && error.status === "BUDGET_EXHAUSTED";
    this.#status.textContent = exhausted
      ? "The privacy budget is used up. Nothing was sent."
      : "It did not work. Nothing was sent.";
    this.#button.disabled = false;
    this.dispatchEvent(new CustomEvent("hushbit-error", { detail: error, bubbles: true, composed: true }));
  }
}

/**
 * The words of a text: the ids of known ones, and unknown ones as typed in lower case. Texts with the same words differ
 * in nothing that a release depends on.
 * @param {string} text
 * @param {import("./result.js").Token[]} tokens
 */
function wordsOf(text, tokens) {
  const spelled = (/** @type {import("./result.js").Token} */ { wordId, utf16Begin, utf16End }) =>
    wordId ?? text.slice(utf16Begin, utf16End).normalize().toLowerCase();
  return JSON.stringify(tokens.filter(({ kind }) => kind !== "punctuation").map(spelled));
}

/**
 * Rounded up to two decimals, from a whole number of millionths: 54.9 stays 54.9.
 * @param {number} cost
 */
function round(cost) {
  return Number.isFinite(cost) ? String(Math.ceil(Math.round(cost * 1e6) / 1e4) / 100) : "infinitely much";
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string>} attributes
 * @param {string} [text]
 * @returns {HTMLElementTagNameMap[Name]}
 */
function element(name, attributes, text = "") {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

globalThis.customElements?.define("hushbit-share", HushbitShare);

function styleSheet() {
  if (style === undefined) {
    style = new CSSStyleSheet();
    style.replaceSync(CSS);
  }
  return style;
}
