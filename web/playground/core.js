// Questions to the worker.

export class Core {
  #worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  #last = 0;
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  #waiting = new Map();

  constructor() {
    this.#worker.addEventListener("message", ({ data: { id, value, failure } }) => {
      const caller = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (failure === undefined) caller?.resolve(value);
      else caller?.reject(new Error(failure));
    });
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      for (const { reject } of this.#waiting.values())
        reject(new Error("the worker of this page could not be started"));
      this.#waiting.clear();
    });
  }

  /**
   * @param {string} method of worker.js
   * @param {Record<string, unknown>} request
   * @returns {Promise<any>} rejects with an Error whose message is for people
   */
  ask(method, request) {
    this.#last += 1;
    const id = this.#last;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#worker.postMessage({ ...request, id, method });
    return answer;
  }
}

/** Asks again and again, but one question at a time: while an answer is awaited, only the newest question waits. */
export class Panel {
  #fail;
  #busy = false;
  /** @type {(() => Promise<void>) | undefined} */
  #next;

  /** @param {(error: Error) => void} fail shows why there was no answer */
  constructor(fail) {
    this.#fail = fail;
  }

  /** Whether nothing is asked or waits. */
  get idle() {
    return !this.#busy;
  }

  /** @param {() => Promise<void>} question asks, and shows the answer */
  async refresh(question) {
    this.#next = question;
    if (this.#busy) return;
    this.#busy = true;
    while (this.#next !== undefined) {
      const now = this.#next;
      this.#next = undefined;
      try {
        await now();
      } catch (error) {
        this.#fail(/** @type {Error} */ (error));
      }
    }
    this.#busy = false;
  }
}
