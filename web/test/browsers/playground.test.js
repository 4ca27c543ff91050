// The playground: by keyboard, without a network, in the site of docs, with a megabyte. In Chromium and in Firefox.

import assert from "node:assert/strict";
import { test } from "node:test";
import { WORDS, inBrowsers, textOf } from "./browsers.js";
import { serve } from "./server.js";

const PLAYGROUND = `/playground/?bundle=${WORDS}`;

/** @param {import("puppeteer-core").Page} page @param {number} [words] that are shown */
const ready = (page, words = 1) =>
  page.waitForFunction(
    (/** @type {number} */ count) =>
      document.body.classList.contains("ready") && document.querySelectorAll("#words li").length >= count,
    {},
    words,
  );

/** As pasting does. @param {import("puppeteer-core").Page} page @param {string} text */
const paste = (page, text) =>
  page.$eval(
    "#text",
    (field, value) => {
      /** @type {HTMLTextAreaElement} */ (field).value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    },
    text,
  );

inBrowsers((running) => {
  test("the playground by keyboard, on a small screen, without a request", async () => {
    const page = await running.openPage(PLAYGROUND);
    await ready(page, 9); // of its own sentence
    const before = running.server.requests.length;
    await paste(page, "the cat xyzzyqx, the dog");
    await page.waitForFunction(() => document.querySelectorAll("#words li").length === 6); // the comma is left out
    await page.focus("[name=view]:checked");
    await page.keyboard.press("ArrowLeft"); // from the first to the last
    await page.waitForFunction(() => document.querySelector("#words li")?.checkVisibility());
    assert.equal(await page.$eval("#counts", (found) => found.checkVisibility()), false);
    await page.focus("#words button");
    await page.keyboard.press("Enter");
    assert.match(await textOf(page, "#likely"), /^“the” may become any word/);
    await page.focus("#press");
    await page.keyboard.press("Enter");
    await page.focus("#advanced summary");
    await page.keyboard.press("Enter");
    await page.focus("#ten");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => /^Of 10/.test(document.getElementById("repeats-text")?.textContent ?? ""));
    assert.equal((await page.$$("#tallies tr")).length, 5);
    await page.focus("#level");
    await page.keyboard.press("ArrowRight");
    assert.match(await textOf(page, "#level-shown"), /^ε 4 /);
    await page.waitForFunction(() => /epsilon=4/.test(document.getElementById("code")?.textContent ?? ""));
    await page.select("#mechanism", "crowd");
    await page.waitForFunction(() => document.getElementById("repeats")?.hidden);
    assert.deepEqual(
      running.server.requests.slice(before).filter((path) => !/offline|playground|src|vectors/.test(path)),
      [],
    );
    const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    assert.ok(wide <= seen, `${wide} > ${seen}`);
    await page.close();
  });

  test("the chart counts what simulated people report, and the slider changes it", async () => {
    const page = await running.openPage(PLAYGROUND);
    const counts = () =>
      page.$$eval("#counts tr", (rows) =>
        rows.map((row) =>
          [...row.querySelectorAll(".number")].map((cell) => Number(cell.textContent?.replace(/,/g, ""))),
        ),
      );
    await page.waitForSelector("#counts tr");
    const first = await counts();
    assert.deepEqual(
      first.map(([, typed]) => typed),
      [2400, 2000, 1500, 1200, 1000, 800, 600, 500],
    );
    // Seven standard deviations at epsilon 2: eight counts miss that in one of 10^11 runs.
    for (const [counted, typed] of first) assert.ok(Math.abs(counted - typed) < 750, `${counted} for ${typed}`);
    await page.focus("#level");
    await page.keyboard.press("End");
    await page.waitForFunction(() => /at ε 6,/.test(document.getElementById("many-foot")?.textContent ?? ""));
    assert.match(await textOf(page, "#many-foot"), /right in 98 of 100/);
    await page.close();
  });

  test("the playground works without a network once it was seen", async () => {
    const page = await running.openPage(PLAYGROUND);
    await ready(page);
    const kept = ["/playground/", "/playground/worker.js", "/src/hushbit.wasm", WORDS];
    await page.waitForFunction(
      async (wanted) => {
        const cache = await caches.open("hushbit-playground-2");
        const paths = (await cache.keys()).map(({ url }) => new URL(url).pathname);
        return wanted.every((/** @type {string} */ path) => paths.includes(path));
      },
      {},
      kept,
    );
    const port = Number(new URL(running.server.origin).port);
    await running.server.close();
    try {
      await page.reload();
      await ready(page, 9);
    } finally {
      running.server = await serve(port);
      await page.close();
    }
  });

  test("the playground in the site of docs, with the built-in words", async () => {
    const page = await running.openPage("/site/playground/");
    await ready(page, 9);
    assert.equal((await page.$$("#words li")).length, 10);
    await page.waitForSelector("#gist-many li");
    assert.match(await textOf(page, "#gist-index"), /^number [\d,]+ of 16,384$/);
    const dead = await page.$$eval("a[href]", async (links) => {
      const addresses = links.map((link) => /** @type {HTMLAnchorElement} */ (link).href);
      const answers = await Promise.all(addresses.map((address) => fetch(address)));
      return answers.filter(({ ok }) => !ok).map(({ url }) => url);
    });
    assert.deepEqual(dead, []);
    await page.close();
  });

  test("a joined emoji is one row, and a megabyte does not stop the page", async (t) => {
    const page = await running.openPage("/site/playground/");
    await ready(page, 9);
    await paste(page, "home 👨‍👩‍👧 👍🏽 now");
    await page.waitForFunction(() => document.querySelectorAll("#words li").length === 4);
    assert.match(await textOf(page, "#words li:nth-child(2)"), /^👨‍👩‍👧 became –, left out$/);
    const { rows, longest, milliseconds } = await page.evaluate(async () => {
      const text = /** @type {HTMLTextAreaElement} */ (document.getElementById("text"));
      text.value = "They charged my card twice. ".repeat(2 ** 20 / 28);
      // The browser lays out a megabyte itself, which takes it a while and is not the page's doing.
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      const start = performance.now();
      text.dispatchEvent(new Event("input", { bubbles: true }));
      let longest = 0; // for which the page did nothing else
      for (let last = start; document.getElementById("more")?.textContent === "";) {
        await new Promise((done) => setTimeout(done, 10));
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }
      return { rows: document.querySelectorAll("#words li").length, longest, milliseconds: performance.now() - start };
    });
    t.diagnostic(
      `milliseconds until a megabyte was private: ${milliseconds.toFixed(0)}; longest: ${longest.toFixed(0)}`,
    );
    assert.equal(rows, 200);
    assert.match(await textOf(page, "#more"), /^And [\d,]{7} more/);
    // Usual are 3 s, and 0.1 s between two turns of the page. A slow or busy machine may take several times as long.
    assert.ok(milliseconds < 10_000, `a megabyte took ${milliseconds} ms`);
    assert.ok(longest < 1000, `the page stood still for ${longest} ms`);
    await page.close();
  });

  test("the playground says what is missing", async () => {
    const page = await running.openPage("/playground/?bundle=/none.hushbit");
    await page.waitForSelector("#failure:not([hidden])");
    assert.match(await textOf(page, "#failure"), /^The words could not be loaded: .*404/);
    await page.close();
    running.forgive("404"); // which was asked for
  });
});
