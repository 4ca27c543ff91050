// A budget: a ledger in a file on the device, and caps that are never exceeded (docs/repetition-and-budget.md).

import { Handle } from "./handle";
import { type NativeBudget, native } from "./native";
import { toPath } from "./paths";
import type * as types from "./types";

/** A budget. Pass it to `Bundle.privatizer`, `embedder` or `reporter`. Any number of them may share its ledger. */
export class Budget extends Handle<NativeBudget> {
  /**
   * Opens a ledger, or creates an empty one. `PATH.lock` and, for short times, `PATH.new` are written next to it. The
   * caps belong to this object; the file contains only what was spent. Keep it out of backups: restoring an old ledger
   * would undo what was spent.
   * @param path of a file on the device, or its file: URL; always the same one
   */
  static async open(path: string, limits: types.BudgetLimits = {}): Promise<Budget> {
    return new Budget(native().openBudget(toPath(path), limits));
  }

  /** Replaces the ledger, damaged or not, with an empty one. Its caps no longer bound what was released before. */
  static async reset(path: string) {
    native().resetBudget(toPath(path));
  }

  /**
   * Spends a cost, if the caps allow it; what is created with this budget spends its own costs. Rejects with
   * BUDGET_EXHAUSTED, CORRUPT_BUDGET, UNSUPPORTED_BUDGET or STORAGE_FAILED. Then nothing may be released.
   * @param worstCase 0 or more; an infinite cost is allowed only if both caps on costs are infinite
   * @param tokens how many released tokens it is for, 0 to 2^32 - 1
   */
  async spend(worstCase: number, tokens = 0) {
    this.native.spend(worstCase, tokens);
  }

  /**
   * The same for releases of whole texts, which cost `worstCase` together: each counts as a token and as a text.
   * @param texts how many, 0 to 2^32 - 1
   */
  async spendTexts(worstCase: number, texts: number) {
    this.native.spendTexts(worstCase, texts);
  }

  /** What has been spent so far. */
  async state(): Promise<types.BudgetState> {
    return this.native.state();
  }
}
