// The chart of what many people tell: what was counted beside what is true, as a table with bars.

/** @typedef {{ name: string, typed: number, count: number, deviation: number }} Counted */

const HOLDS_95 = 1.96;
const whole = (/** @type {number} */ value) => Math.round(value).toLocaleString("en");

/**
 * Fills the body of the table.
 * @param {HTMLTableSectionElement} body
 * @param {Counted[]} rows
 */
export function drawChart(body, rows) {
  const widest = Math.max(...rows.map(({ typed, count }) => Math.max(1.15 * typed, count)));
  body.replaceChildren(...rows.map((row) => rowOf(row, widest)));
}

/**
 * @param {Counted} row
 * @param {number} widest the count at the right end
 */
function rowOf({ name, typed, count, deviation }, widest) {
  const row = document.createElement("tr");
  const head = document.createElement("th");
  head.scope = "row";
  head.textContent = name;
  const bars = document.createElement("td");
  bars.className = "bars";
  bars.setAttribute("aria-hidden", "true"); // the numbers beside it say the same
  const at = (/** @type {number} */ value) => 100 * Math.min(1, Math.max(0, value / widest));
  const [low, high] = [at(count - HOLDS_95 * deviation), at(count + HOLDS_95 * deviation)];
  bars.append(bar("typed", 0, at(typed)), bar("counted", 0, at(count)), bar("interval", low, high - low));
  row.append(head, bars, number(whole(count), "number"), number(whole(typed), "number quiet"));
  return row;
}

/** @param {string} kind @param {number} left percent @param {number} width percent */
function bar(kind, left, width) {
  const made = document.createElement("span");
  made.className = `bar ${kind}`;
  made.style.left = `${left}%`; // by a script, which a strict policy allows
  made.style.width = `${width}%`;
  return made;
}

/** @param {string} text @param {string} className */
function number(text, className) {
  const made = document.createElement("td");
  made.className = className;
  made.textContent = text;
  return made;
}
