// Simulated people, each of whom has one answer, and what is counted from their reports.

/** Why people write to a shop: made up. Of each 100 people so many have the answer. */
export const ANSWERS = /** @type {const} */ ([
  ["refund", 24],
  ["delivery", 20],
  ["login", 15],
  ["price", 12],
  ["crash", 10],
  ["invoice", 8],
  ["upgrade", 6],
  ["other", 5],
]);

/** @typedef {Pick<import("../src/index.js").ReporterInfo, "probability" | "reports" | "effectiveEpsilon">} Info */

/**
 * The answers: the same shares in each run.
 * @param {number} people a multiple of 100
 * @returns {number[]} how many people have each answer
 */
export function trueCounts(people) {
  return ANSWERS.map(([, share]) => (share * people) / 100);
}

/** What a report says of each value, as docs/counting.md states: the design behind a reporter of a list. */
export class Design {
  /** How many reports there are. */
  reports;
  /** The chance that a report is drawn from the set of its value, in place of all. */
  #chance;
  /** How many reports are in the set of a value, and how many in the sets of two. */
  #inSet;
  #inTwo;
  #order;
  #dimensions;

  /** @param {Info} info */
  constructor({ probability, reports, effectiveEpsilon }) {
    this.reports = reports;
    this.#chance = probability;
    this.#inSet = Math.round(((probability / (1 - probability)) * reports) / Math.expm1(effectiveEpsilon));
    this.#order = (reports - 1) / this.#inSet;
    this.#inTwo = (this.#inSet - 1) / this.#order;
    this.#dimensions = Math.round(Math.log1p(reports * (this.#order - 1)) / Math.log(this.#order));
  }

  /** Whether a report is in the set of a value. @param {number} value @param {number} report */
  has(value, report) {
    if (this.#dimensions === 2) return value === report;
    const [x, y] = [this.#point(value), this.#point(report)];
    return x.reduce((sum, each, i) => sum + each * y[i], 0) % this.#order === 0;
  }

  /**
   * The unbiased count of each value, with its standard deviation, of the reports of many.
   * @param {number[]} tally how often each report came
   * @param {number} values how many there are
   */
  count(tally, values) {
    const all = tally.reduce((sum, each) => sum + each, 0);
    const anywhere = ((1 - this.#chance) * this.#inSet) / this.reports;
    const others = (this.#chance * this.#inTwo) / this.#inSet + anywhere;
    const slope = this.#chance * (1 - this.#inTwo / this.#inSet);
    return Array.from({ length: values }, (_, value) => {
      const hits = tally.reduce((sum, each, report) => sum + (this.has(value, report) ? each : 0), 0);
      return {
        count: (hits - all * others) / slope,
        deviation: Math.sqrt(hits * (1 - hits / all)) / slope,
      };
    });
  }

  /**
   * How often the best guess from one report is right, if all values are as likely.
   * @param {number} values how many there are
   */
  right(values) {
    const anywhere = (1 - this.#chance) / this.reports;
    const within = this.#chance / this.#inSet;
    const all = Array.from({ length: this.reports }, (_, report) => report);
    const some = all.filter((report) => Array.from({ length: values }).some((_, value) => this.has(value, report)));
    return (some.length * within + this.reports * anywhere) / values;
  }

  /** The coordinates of a point by its number; the first that is not 0 is 1. @param {number} number */
  #point(number) {
    const point = new Array(this.#dimensions).fill(0);
    let first = 0;
    let rest = number;
    for (let size = this.#order ** (this.#dimensions - 1); rest >= size; size /= this.#order) {
      rest -= size;
      first += 1;
    }
    point[first] = 1;
    for (let i = this.#dimensions - 1; i > first; --i) {
      point[i] = rest % this.#order;
      rest = Math.floor(rest / this.#order);
    }
    return point;
  }
}
