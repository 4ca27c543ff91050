// The component, two tabs and one budget, a worker, a strict policy: in Chromium and in Firefox.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { WORDS, inBrowsers } from "./browsers.js";
import { ENGLISH } from "./server.js";

inBrowsers((running) => {
  test("page, workers and service worker that name a cache fetch each file once", async () => {
    const before = running.server.requests.length;
    const page = await running.openPage("/strict.html");
    const ends = await page.evaluate(
      async (words, serviceWorkers) => {
        const path = "/src/index.js";
        const { load, loadInWorker } = await import(path);
        /** @type {import("../../src/index.js").Progress | undefined} */
        let last;
        const options = { cache: "words 1", onProgress: (/** @type {any} */ progress) => (last = progress) };
        await Promise.all([load(words, options), loadInWorker(words, options), loadInWorker(words, options)]);
        if (serviceWorkers) {
          await navigator.serviceWorker.register("/service-worker.js", { type: "module" });
          const { active } = await navigator.serviceWorker.ready;
          await new Promise((resolve) => {
            navigator.serviceWorker.addEventListener("message", resolve);
            active?.postMessage("");
          });
        }
        await load(words, options);
        return last;
      },
      WORDS,
      running.name === "chrome",
    );
    const fetched = running.server.requests.slice(before);
    for (const file of [WORDS, "/src/hushbit.wasm"]) {
      assert.equal(fetched.filter((path) => path === file).length, 1, file);
    }
    assert.equal(ends?.received, ends?.total);
    await page.close();
  });

  test("the component shows what it sends, and refuses secrets", async () => {
    const page = await running.openPage("/strict.html");
    const sent = await page.evaluate(async (words) => {
      const paths = ["/src/index.js", "/src/share.js"];
      const [{ load }] = await Promise.all(paths.map((path) => import(path)));
      const share = /** @type {any} */ (document.createElement("hushbit-share"));
      const field = document.createElement("textarea");
      share.append(field);
      document.body.append(share);
      share.privatizer = (await load(words)).privatizer({ mechanism: "brr", epsilon: 0 });
      const inside = /** @type {ShadowRoot} */ (share.shadowRoot);
      const part = (/** @type {string} */ name) =>
        /** @type {HTMLButtonElement} */ (inside.querySelector(`[part=${name}]`));
      field.value = "the cat and the dog";
      /** @type {any[]} */
      const events = [];
      document.addEventListener("hushbit-release", (event) => events.push(/** @type {CustomEvent} */ (event).detail));
      const press = async () => {
        part("share").click();
        for (let i = 0; i < 200 && part("review").hidden; ++i) await new Promise((done) => setTimeout(done, 10));
      };
      await press();
      part("discard").click();
      const discarded = events.length;
      const again = async () => {
        part("share").click();
        for (let i = 0; i < 30 && part("review").hidden; ++i) await new Promise((done) => setTimeout(done, 10));
        return part("review").hidden;
      };
      // The same words are not drawn again, however they are written.
      const refusedAgain = [await again()];
      field.value = "The  cat, and the DOG!";
      field.dispatchEvent(new Event("input", { bubbles: true }));
      refusedAgain.push(await again());
      field.value = "the dog and the cat";
      await press();
      const reviewed = part("text").textContent;
      part("send").click();
      refusedAgain.push(await again());
      /** @type {Record<string, boolean>} */
      const off = {};
      for (const [name, value] of [
        ["autocomplete", "cc-number"],
        ["autocomplete", "off"],
        ["autocomplete", "current-password"],
        ["spellcheck", "false"],
        ["inputmode", "numeric"],
        ["writingsuggestions", "false"],
        ["name", "cvv"],
        ["id", "userPassword"],
        ["placeholder", "One-time code"],
        ["style", "-webkit-text-security: disc"],
        ["title", "fine"],
      ]) {
        if (name === "style") field.style.setProperty("-webkit-text-security", "disc");
        else field.setAttribute(name, value);
        share.privatizer = share.privatizer;
        off[value] = part("share").disabled;
        if (name === "style") field.style.removeProperty("-webkit-text-security");
        else field.removeAttribute(name);
      }
      share.setAttribute("spellcheck", "false");
      share.privatizer = share.privatizer;
      off.inherited = part("share").disabled;
      share.removeAttribute("spellcheck");
      const password = document.createElement("input");
      password.type = "password";
      field.replaceWith(password);
      share.privatizer = share.privatizer;
      off.password = part("share").disabled;
      password.type = "text"; // as a button does that shows it
      share.privatizer = share.privatizer;
      off.shown = part("share").disabled;
      const elsewhere = document.createElement("input");
      elsewhere.type = "password";
      document.body.append(elsewhere);
      elsewhere.type = "text";
      password.replaceWith(elsewhere);
      share.privatizer = share.privatizer;
      off.before = part("share").disabled;
      return { events, discarded, refusedAgain, reviewed, off };
    }, WORDS);
    assert.equal(sent.discarded, 0);
    assert.equal(sent.events.length, 1);
    assert.deepEqual(sent.refusedAgain, [true, true, true]);
    assert.deepEqual(Object.keys(sent.events[0]).sort(), ["cost", "drawn", "text"]);
    assert.equal(sent.events[0].drawn, 2 * sent.events[0].cost.worstCase);
    assert.equal(sent.events[0].text, sent.reviewed);
    assert.equal(sent.events[0].text.split(" ").length, 5);
    const { fine, ...refused } = sent.off;
    assert.equal(fine, false);
    for (const [what, disabled] of Object.entries(refused)) assert.ok(disabled, what);
    await page.close();
  });

  test("two tabs cannot spend the same budget, and it stays spent", async () => {
    const pages = [await running.openPage("/strict.html"), await running.openPage("/strict.html")];
    const spend = (/** @type {import("puppeteer-core").Page} */ page) =>
      page.evaluate(async (words) => {
        const path = "/src/index.js";
        const { Budget, load } = await import(path);
        const budget = await Budget.open({ tokensLifetime: 25 });
        const privatizer = (await load(words)).privatizer({ budget });
        const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => privatizer.privatize("xyzzyqx")));
        const failures = outcomes.filter(({ status }) => status === "rejected");
        return {
          released: outcomes.length - failures.length,
          refusals: [...new Set(failures.map((failure) => /** @type {any} */ (failure).reason.status))],
          spent: (await budget.state()).tokensLifetime,
        };
      }, WORDS);
    const [first, second] = await Promise.all(pages.map(spend));
    assert.equal(first.released + second.released, 25);
    const third = await spend(pages[0]);
    assert.equal(third.released, 0);
    assert.equal(third.spent, 25);
    assert.deepEqual(third.refusals, ["BUDGET_EXHAUSTED"]);
    const keys = await Promise.all(
      pages.map((page) =>
        page.evaluate(async () => {
          const path = "/src/index.js";
          return [...(await (await import(path)).deviceKey())].join();
        }),
      ),
    );
    assert.equal(keys[0], keys[1]);
    for (const page of pages) await page.close();
  });

  test("a worker does the same, and the budget holds there too", async () => {
    const page = await running.openPage("/strict.html");
    const seen = await page.evaluate(async (words) => {
      const path = "/src/index.js";
      const { Budget, loadInWorker } = await import(path);
      const failure = (/** @type {Promise<unknown>} */ promise) =>
        promise.then(
          () => "none",
          ({ status }) => status,
        );
      const bundle = await loadInWorker(words);
      const worker = new Worker("/own-worker.js", { type: "module" });
      const other = await loadInWorker(await fetch(words), { worker });
      const budget = await Budget.open({ name: "of the worker", tokensLifetime: 2 });
      const privatizer = await bundle.privatizer({ mechanism: "brr", epsilon: 0, budget });
      const released = await privatizer.privatize("xyzzyqx xyzzyqx");
      const outcomes = {
        hash: other.info.hash === bundle.info.hash,
        mechanism: privatizer.info.mechanism,
        tokens: released.tokens.length,
        exhausted: await failure(privatizer.privatize("xyzzyqx")),
        refused: await failure(bundle.privatizer({ epsilon: -1 })),
        missing: await failure(loadInWorker("/none.hushbit")),
        page: await failure(loadInWorker("/lost.hushbit")),
      };
      privatizer.dispose();
      const gone = await failure(privatizer.privatize("xyzzyqx"));
      const last = await bundle.privatizer();
      bundle.dispose();
      return { ...outcomes, gone, ended: await failure(last.privatize("xyzzyqx")) };
    }, WORDS);
    running.forgive("404"); // which was asked for
    assert.deepEqual(seen, {
      hash: true,
      mechanism: "brr",
      tokens: 2,
      exhausted: "BUDGET_EXHAUSTED",
      refused: "INVALID_ARGUMENT",
      missing: "FILE_NOT_FOUND",
      page: "CORRUPT_BUNDLE",
      gone: "INVALID_ARGUMENT",
      ended: "INVALID_ARGUMENT",
    });
    await page.close();
  });

  test("failures are said: no WebAssembly by the policy, a page in place of a bundle, nothing there", async () => {
    const page = await running.browser.newPage(); // errors in the console are expected here
    /** @param {string} at @param {string} bundle */
    const failure = async (at, bundle) => {
      await page.goto(running.server.origin + at);
      return page.evaluate(async (source) => {
        const path = "/src/index.js";
        try {
          await (await import(path)).load(source);
          return "loaded";
        } catch (error) {
          return `${/** @type {any} */ (error).status}: ${/** @type {any} */ (error).message}`;
        }
      }, bundle);
    };
    assert.match(await failure("/no-wasm.html", WORDS), /^READ_FAILED: .*wasm-unsafe-eval/);
    assert.match(await failure("/strict.html", "/lost.hushbit"), /^CORRUPT_BUNDLE: the server sent a web page/);
    assert.match(await failure("/strict.html", "/none.hushbit"), /^FILE_NOT_FOUND: .*404/);
    assert.equal(await failure("/strict.html", WORDS), "loaded");
    await page.close();
  });

  test(
    "from a service worker",
    { skip: running.name === "firefox" && "its service workers take no modules" },
    async () => {
      const page = await running.openPage("/strict.html");
      const tokens = await page.evaluate(async () => {
        await navigator.serviceWorker.register("/service-worker.js", { type: "module" });
        const { active } = await navigator.serviceWorker.ready;
        return new Promise((resolve) => {
          navigator.serviceWorker.addEventListener("message", ({ data }) => resolve(data));
          active?.postMessage("go");
        });
      });
      assert.equal(tokens, 2);
      await page.close();
    },
  );

  test(
    "the built-in bundle answers soon",
    { skip: !existsSync(ENGLISH) && "there is no built-in bundle yet" },
    async (t) => {
      const page = await running.openPage("/strict.html");
      const times = await page.evaluate(async () => {
        const path = "/src/index.js";
        const { load } = await import(path);
        const times = [];
        for (let i = 0; i < 5; ++i) {
          const start = performance.now();
          const bundle = await load();
          await bundle.privatizer().privatize("My doctor says the blood test came back fine.");
          times.push(performance.now() - start);
          bundle.dispose();
        }
        return times;
      });
      t.diagnostic(`milliseconds to load and answer: ${times.map((each) => each.toFixed(0)).join(", ")}`);
      await page.close();
    },
  );
});
