// A worker of the page's own, `loadInWorker(source, { worker })`: a thread of Node with what a browser's worker has.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker as Thread } from "node:worker_threads";
import { Budget, loadInWorker } from "../src/index.js";
import { MemoryStore, VECTORS } from "./support.js";

const MODULE = `
  import { parentPort } from "node:worker_threads";
  globalThis.postMessage = (message) => parentPort.postMessage(message);
  globalThis.addEventListener = (kind, listener) => parentPort.on(kind, (data) => listener({ data }));
  await import("${new URL("../src/worker.js", import.meta.url)}");`;

class ThreadWorker extends EventTarget {
  #thread = new Thread(new URL(`data:text/javascript,${encodeURIComponent(MODULE)}`));
  ended = new Promise((resolve) => this.#thread.once("exit", resolve));
  /** @type {string[]} */
  asked = [];

  constructor() {
    super();
    this.#thread.on("message", (data) => this.dispatchEvent(Object.assign(new Event("message"), { data })));
  }

  /** @param {{ method: string }} request */
  postMessage(request) {
    this.asked.push(request.method);
    this.#thread.postMessage(request);
  }

  terminate() {
    void this.#thread.terminate();
  }
}

test("a worker of one's own does what is asked of a bundle, and ends with it", async (t) => {
  const thread = new ThreadWorker();
  t.after(() => thread.terminate());
  const worker = /** @type {Worker} */ (/** @type {unknown} */ (thread));
  const bundle = await loadInWorker(new URL("crowds-64.hushbit", VECTORS), { worker });
  assert.equal(bundle.info.words, 749);
  const budget = await Budget.open({ store: new MemoryStore(), tokensLifetime: 2 });
  const privatizer = await bundle.privatizer({ mechanism: "brr", epsilon: 0, budget });
  assert.equal((await privatizer.privatize("xyzzyqx xyzzyqx")).tokens.length, 2);
  await assert.rejects(privatizer.privatize("xyzzyqx xyzzyqx"), { status: "BUDGET_EXHAUSTED" });
  await assert.rejects(bundle.privatizer({ epsilon: -1 }), { status: "INVALID_ARGUMENT" });
  assert.deepEqual(thread.asked, ["load", "privatizer", "privatize", "privatize", "privatizer"]);
  bundle.dispose();
  await thread.ended;
  await assert.rejects(privatizer.privatize("xyzzyqx xyzzyqx"), { status: "INVALID_ARGUMENT" });
});
