// The parts of the page by their ids, and small helpers.

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

export const page = {
  main: find("main", HTMLElement),
  failure: find("failure", HTMLElement),
  form: find("form", HTMLFormElement),
  text: find("text", HTMLTextAreaElement),
  examples: find("examples", HTMLElement),
  level: find("level", HTMLInputElement),
  levelShown: find("level-shown", HTMLOutputElement),
  chance: find("chance-gauge", HTMLElement),
  named: find("named", HTMLElement),
  namedGauge: find("named-gauge", HTMLElement),
  worded: find("worded", HTMLElement),
  wordedGauge: find("worded-gauge", HTMLElement),
  bound: find("bound", HTMLElement),
  press: find("press", HTMLButtonElement),
  status: find("status", HTMLElement),
  mechanism: find("mechanism", HTMLSelectElement),
  crowd: find("crowd", HTMLSelectElement),
  crowdChoice: find("crowd-choice", HTMLElement),
  epsilon: find("epsilon", HTMLInputElement),
  epsilonShown: find("epsilon-shown", HTMLOutputElement),
  epsilonHelp: find("epsilon-help", HTMLElement),
  ten: find("ten", HTMLButtonElement),
  repeats: find("repeats", HTMLElement),
  repeatsText: find("repeats-text", HTMLElement),
  tallies: find("tallies", HTMLTableSectionElement),
  people: find("people", HTMLSelectElement),
  counts: find("counts", HTMLTableSectionElement),
  manyFoot: find("many-foot", HTMLElement),
  gists: find("gists", HTMLElement),
  gistIndex: find("gist-index", HTMLElement),
  gistOne: find("gist-one", HTMLElement),
  gistPeople: find("gist-people", HTMLElement),
  gistMany: find("gist-many", HTMLElement),
  oneFoot: find("one-foot", HTMLElement),
  words: find("words", HTMLElement),
  more: find("more", HTMLElement),
  likely: find("likely", HTMLElement),
  wordsFoot: find("words-foot", HTMLElement),
  copy: find("copy", HTMLButtonElement),
  code: find("code", HTMLElement),
  copyCode: find("copy-code", HTMLButtonElement),
  sent: find("sent", HTMLElement),
};

/**
 * @param {keyof HTMLElementTagNameMap} name
 * @param {string | Node} content
 * @param {string} [className]
 */
export function element(name, content, className = "") {
  const made = document.createElement(name);
  made.append(content);
  if (className !== "") made.className = className;
  return made;
}

/** Three digits of a number. @param {number} value */
export const shown = (value) => (Number.isFinite(value) ? String(Number(value.toPrecision(3))) : "infinite");

/** A whole number. @param {number} value */
export const whole = (value) => Math.round(value).toLocaleString("en");

/**
 * Copies a text, and says on the button whether that was allowed.
 * @param {HTMLButtonElement} button
 * @param {string} text
 */
export async function copy(button, text) {
  const said = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed";
  }
  setTimeout(() => (button.textContent = said), 1500);
}
