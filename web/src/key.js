// The device key of memoized noise.

import { systemRandom } from "./core.js";
import { HushbitError } from "./errors.js";
import { IndexedDbStore, update } from "./store.js";

const KEY_BYTES = 32;

/**
 * The device key of this browser, created on first use. Anyone who has it can undo memoized noise, and any script of
 * the page's origin can read it. See docs/repetition-and-budget.md.
 * @param {{ store?: import("./store.js").Store, name?: string }} [where]
 * @returns {Promise<Uint8Array>} 32 bytes
 */
export async function deviceKey({ store = new IndexedDbStore(), name = "device key" } = {}) {
  const key = new Uint8Array(KEY_BYTES);
  await update(store, name, (stored) => {
    if (stored === undefined) {
      if (!systemRandom(key)) throw new HushbitError("RANDOMNESS_FAILED", "crypto.getRandomValues is missing or fails");
      return key.slice();
    }
    if (stored.length !== KEY_BYTES) {
      throw new HushbitError("STORAGE_FAILED", `the stored device key has ${stored.length} bytes, not ${KEY_BYTES}`);
    }
    key.set(stored);
    return undefined;
  });
  return key;
}
