// Stores for small secrets and ledgers: a store that the page implements, or its IndexedDB.

import { HushbitError } from "./errors.js";

/**
 * Keeps a few bytes under each name. A page may implement this with any storage.
 * @typedef {object} Store
 * @property {(name: string, change: (bytes: Uint8Array | undefined) => Uint8Array | undefined) => Promise<void>} update
 *   Calls `change` once with the stored bytes (undefined if there are none), and stores what it returns (undefined
 *   changes nothing). No other tab or worker may read or write between the two. Resolves when the new bytes would
 *   survive a crash. If that is not possible, rejects, and nothing is stored. If `change` throws, rejects with the same
 *   error.
 */

const VALUES = "values";

/**
 * The default store: a database of the page's origin, written under a Web Lock, in one transaction. It needs a secure
 * context (https or localhost). Any script of the origin can read and change it, and the browser may clear it unless
 * `navigator.storage.persist()` was granted.
 * @implements {Store}
 */
export class IndexedDbStore {
  #database;

  /** @param {string} [database] the name of the database */
  constructor(database = "hushbit") {
    this.#database = database;
  }

  /** @type {Store["update"]} */
  async update(name, change) {
    const locks = globalThis.navigator?.locks;
    if (globalThis.indexedDB === undefined || locks === undefined) {
      const what = "IndexedDB or Web Locks are missing (they need https or localhost); pass another store";
      throw new HushbitError("STORAGE_FAILED", what);
    }
    await locks.request(`hushbit/${this.#database}/${name}`, async () => {
      const database = await open(this.#database);
      try {
        await transact(database, name, change);
      } finally {
        database.close();
      }
    });
  }
}

/**
 * @param {string} name
 * @returns {Promise<IDBDatabase>}
 */
function open(name) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(VALUES);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * @param {IDBDatabase} database
 * @param {string} name
 * @param {Parameters<Store["update"]>[1]} change
 * @returns {Promise<void>}
 */
function transact(database, name, change) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(VALUES, "readwrite", { durability: "strict" });
    const values = transaction.objectStore(VALUES);
    /** @type {unknown} */
    let failure;
    const read = values.get(name);
    read.onsuccess = () => {
      try {
        const changed = change(read.result);
        if (changed !== undefined) values.put(changed, name);
      } catch (error) {
        failure = error;
        transaction.abort();
      }
    };
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(failure ?? transaction.error);
  });
}

/**
 * Updates a store, and marks the failures of the store itself.
 * @param {Store} store
 * @param {string} name
 * @param {Parameters<Store["update"]>[1]} change
 */
export async function update(store, name, change) {
  try {
    await store.update(name, change);
  } catch (error) {
    if (error instanceof HushbitError) throw error;
    throw new HushbitError("STORAGE_FAILED", "the store cannot be read or written; nothing was released", 0, error);
  }
}
