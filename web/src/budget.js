// A budget: a ledger in a store, and caps that are never exceeded (docs/repetition-and-budget.md). The core does the
// arithmetic, and the bytes are the same as in a budget's file.

import { HushbitError } from "./errors.js";
import { loadCore } from "./compile.js";
import { IndexedDbStore, update } from "./store.js";
import { BUDGET_LIMITS, BUDGET_STATE } from "./layouts.js";
import { readStruct, writeStruct } from "./structs.js";

/**
 * A limit that is not given means no cap.
 * @typedef {object} BudgetLimits
 * @property {number} [worstCasePerDay] in units of `cost.worstCase`, 0 or more; days are days in UTC
 * @property {number} [worstCaseLifetime] the same in total
 * @property {number} [tokensPerDay] released tokens with a replacement, 0 or more
 * @property {number} [tokensLifetime] the same in total
 */

/**
 * The place of the ledger.
 * @typedef {object} BudgetPlace
 * @property {import("./store.js").Store} [store] the page's IndexedDB by default
 * @property {string} [name] the name of the ledger in the store; "budget" by default
 */

/**
 * What was spent.
 * @typedef {object} BudgetState
 * @property {number} day days since 1970-01-01 UTC; never goes back
 * @property {number} worstCaseToday
 * @property {number} worstCaseLifetime
 * @property {number} tokensToday
 * @property {number} tokensLifetime
 * @property {number} textsToday releases of whole texts (embeddings, reports), each of which is a token too
 * @property {number} textsLifetime
 */

const LEDGER_BYTES = 64;
const MS_PER_DAY = 86_400_000;
const NO_CAP = 2n ** 64n - 1n;
/** The most that one call spends: the core takes 32 bits. */
const MOST_TOKENS = 2 ** 32 - 1;

const today = () => Math.max(0, Math.floor(Date.now() / MS_PER_DAY));

/** A budget. Pass it to `Bundle.privatizer`. Any number of privatizers, tabs and workers may share its ledger. */
export class Budget {
  #core;
  #store;
  #name;
  #limits;

  /**
   * Opens a ledger, or creates an empty one if there is none. The caps belong to this object; the ledger contains only
   * what was spent.
   * @param {BudgetLimits & BudgetPlace & import("./load.js").Wasm} [options]
   * @returns {Promise<Budget>}
   */
  static async open({ store = new IndexedDbStore(), name = "budget", wasm, ...limits } = {}) {
    const caps = checkLimits(limits);
    const budget = new Budget(await loadCore(wasm), store, name, caps);
    await update(store, name, (ledger) => {
      if (ledger === undefined) return budget.#empty();
      budget.#read(ledger); // refuses one that is damaged
      return undefined;
    });
    return budget;
  }

  /**
   * Replaces the ledger, damaged or not, with an empty one. Its caps no longer bound what was released before.
   * @param {BudgetPlace & import("./load.js").Wasm} [place]
   */
  static async reset({ store = new IndexedDbStore(), name = "budget", wasm } = {}) {
    const empty = new Budget(await loadCore(wasm), store, name, checkLimits({})).#empty();
    await update(store, name, () => empty);
  }

  /**
   * @private use Budget.open
   * @param {import("./core.js").Core} core
   * @param {import("./store.js").Store} store
   * @param {string} name
   * @param {ReturnType<typeof checkLimits>} limits
   */
  constructor(core, store, name, limits) {
    this.#core = core;
    this.#store = store;
    this.#name = name;
    this.#limits = limits;
  }

  /**
   * Spends a cost, if the caps allow it; a privatizer does this for each text. Rejects with BUDGET_EXHAUSTED,
   * CORRUPT_BUDGET, UNSUPPORTED_BUDGET or STORAGE_FAILED. Then nothing may be released.
   * @param {number} worstCase 0 or more; an infinite cost is allowed only if both caps on costs are infinite
   * @param {number} [tokens] how many released tokens it is for, 0 to 2^32 - 1; 0 by default
   */
  async spend(worstCase, tokens = 0) {
    await this.#spend(worstCase, tokens, 0);
  }

  /**
   * The same for releases of whole texts, which cost `worstCase` together: each counts as a token and as a text.
   * @param {number} worstCase
   * @param {number} texts how many, 0 to 2^32 - 1
   */
  async spendTexts(worstCase, texts) {
    await this.#spend(worstCase, texts, texts);
  }

  /**
   * @param {number} worstCase
   * @param {number} tokens
   * @param {number} texts how many of the tokens are releases of whole texts
   */
  async #spend(worstCase, tokens, texts) {
    if (!(Number.isInteger(tokens) && tokens >= 0 && tokens <= MOST_TOKENS)) {
      throw new HushbitError("INVALID_ARGUMENT", `${tokens} is no number of tokens or texts: 0 to ${MOST_TOKENS}`);
    }
    await update(this.#store, this.#name, (ledger) =>
      this.#withLedger(ledger, (at, size) => {
        const core = this.#core;
        return core.borrow(BUDGET_LIMITS.size, (limits) => {
          writeStruct(BUDGET_LIMITS, core.view, limits, this.#limits);
          core.check("web_ledger_spend", at, size, limits, today(), worstCase, tokens, texts);
          return core.bytes.slice(at, at + size);
        });
      }),
    );
  }

  /**
   * What has been spent so far.
   * @returns {Promise<BudgetState>}
   */
  async state() {
    /** @type {BudgetState | undefined} */
    let state;
    await update(this.#store, this.#name, (ledger) => {
      state = this.#read(ledger);
      return undefined;
    });
    return /** @type {BudgetState} */ (/** @type {unknown} */ (state));
  }

  #empty() {
    return this.#core.borrow(LEDGER_BYTES, (at) => {
      this.#core.call("web_ledger_create", at);
      return this.#core.bytes.slice(at, at + LEDGER_BYTES);
    });
  }

  /**
   * @param {Uint8Array | undefined} ledger
   * @returns {BudgetState}
   */
  #read(ledger) {
    const core = this.#core;
    return this.#withLedger(ledger, (at, size) =>
      core.borrow(BUDGET_STATE.size, (out) => {
        core.check("web_ledger_state", at, size, today(), out);
        const state = readStruct(BUDGET_STATE, core.view, out);
        return {
          day: state.day,
          worstCaseToday: state.worst_case_today,
          worstCaseLifetime: state.worst_case_lifetime,
          tokensToday: state.tokens_today,
          tokensLifetime: state.tokens_lifetime,
          textsToday: state.texts_today,
          textsLifetime: state.texts_lifetime,
        };
      }),
    );
  }

  /**
   * Lends a ledger, which must exist: a missing ledger would start at zero again.
   * @template Value
   * @param {Uint8Array | undefined} ledger
   * @param {(at: number, size: number) => Value} use
   */
  #withLedger(ledger, use) {
    if (ledger === undefined) {
      const what = "the budget is missing; open it again to start at zero; nothing was released";
      throw new HushbitError("CORRUPT_BUDGET", what);
    }
    return this.#core.borrow(ledger.length, (at) => {
      this.#core.bytes.set(ledger, at);
      return use(at, ledger.length);
    });
  }
}

/** @param {BudgetLimits} limits */
function checkLimits({
  worstCasePerDay = Infinity,
  worstCaseLifetime = Infinity,
  tokensPerDay,
  tokensLifetime,
  ...rest
}) {
  for (const name of Object.keys(rest)) throw new HushbitError("INVALID_ARGUMENT", `a budget has no limit ${name}`);
  for (const cap of [worstCasePerDay, worstCaseLifetime]) {
    if (!(cap >= 0)) throw new HushbitError("INVALID_ARGUMENT", `a cap is ${cap}; it must be a number, 0 or more`);
  }
  for (const cap of [tokensPerDay, tokensLifetime]) {
    if (cap !== undefined && !(Number.isSafeInteger(cap) && cap >= 0)) {
      throw new HushbitError("INVALID_ARGUMENT", `a cap is ${cap} tokens; it must be an integer, 0 or more`);
    }
  }
  return {
    struct_size: BUDGET_LIMITS.size,
    worst_case_per_day: worstCasePerDay,
    worst_case_lifetime: worstCaseLifetime,
    tokens_per_day: tokensPerDay ?? NO_CAP,
    tokens_lifetime: tokensLifetime ?? NO_CAP,
  };
}
