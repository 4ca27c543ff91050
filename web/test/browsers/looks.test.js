// How the playground and the site look: what axe finds, what fits on a phone, what works from a disk, and screenshots
// for people to look at, in build/web/screenshots. In Chromium.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { BROWSERS, inBrowsers } from "./browsers.js";
import { SITE } from "./server.js";

/** @typedef {import("puppeteer-core").Page} Page */

const AXE = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const SHOTS = fileURLToPath(new URL("../../../build/web/screenshots/", import.meta.url));
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };
const SIZES = { phone: PHONE, desktop: DESKTOP };
const SCHEMES = /** @type {const} */ (["light", "dark"]);
const PAGES = { playground: "/site/playground/", site: "/site/index.html", install: "/site/install.html" };

/** Whether the playground shows an answer in each of its panels. @param {Page} page */
const drawn = (page) =>
  page.waitForFunction(() =>
    ["words", "counts", "gist-many"].every((id) => document.getElementById(id)?.children.length),
  );

/** @param {Page} page @param {"light" | "dark"} scheme */
const prefer = (page, scheme) => page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);

/** What axe finds in a page, in short. @param {Page} page @returns {Promise<string[]>} */
async function faults(page) {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await /** @type {any} */ (globalThis).axe.run();
    return violations.map(
      (/** @type {any} */ { id, nodes }) => `${location.pathname}: ${id}: ${nodes[0].html.slice(0, 100)}`,
    );
  });
}

inBrowsers(
  (running) => {
    for (const [name, path] of Object.entries(PAGES)) {
      for (const [device, size] of Object.entries(SIZES)) {
        test(`${name} on a ${device}, light and dark`, async () => {
          mkdirSync(SHOTS, { recursive: true });
          for (const scheme of SCHEMES) {
            const page = await running.openPage(path, size, scheme);
            if (name === "playground") await drawn(page);
            assert.deepEqual(await faults(page), []);
            const wide = await page.evaluate(() => document.documentElement.scrollWidth);
            assert.ok(wide <= size.width, `${wide}`);
            const background = await page.evaluate(() =>
              [document.body, document.documentElement].map((each) => getComputedStyle(each).backgroundColor).join(),
            );
            assert.match(background, scheme === "light" ? /rgb\(246, 248, 247\)/ : /rgb\(13, 20, 19\)/);
            await page.screenshot({ path: `${SHOTS}${name}-${device}-${scheme}.png` });
            await page.close();
          }
        });
      }
    }

    test("one screen of a phone has the text, the slider, what a reader guesses and each panel", async () => {
      const page = await running.openPage(PAGES.playground, PHONE);
      await drawn(page);
      for (const [view, last] of [
        ["many", "#counts tr:last-child"],
        ["one", "#gist-many"],
        ["words", "#words"],
      ]) {
        await page.$eval(`[name=view][value=${view}]`, (radio) => /** @type {HTMLInputElement} */ (radio).click());
        const bottom = await page.$eval(last, (found) => found.getBoundingClientRect().bottom);
        assert.ok(bottom <= PHONE.height, `${view}: ${bottom}`);
        await page.screenshot({ path: `${SHOTS}playground-phone-${view}.png` });
        assert.deepEqual(await faults(page), []);
      }
      await page.close();
    });

    test("axe finds nothing on any page of the site, and nothing is cut off on a phone", async () => {
      const pages = readdirSync(SITE, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));
      assert.ok(pages.length > 40);
      const page = await running.openPage(PAGES.site, PHONE);
      const found = [];
      for (const [i, name] of pages.sort().entries()) {
        if (name.startsWith("playground/") || name === "404.html") continue;
        await prefer(page, SCHEMES[i % SCHEMES.length]);
        await page.goto(`${running.server.origin}/site/${name}`);
        found.push(...(await faults(page)));
        const cut = await page.evaluate(() => [
          ...(document.documentElement.scrollWidth > innerWidth ? ["the page is too wide"] : []),
          ...[...document.querySelectorAll("pre > code")]
            .filter((code) => code.scrollWidth > code.clientWidth + 1)
            .map((code) => `cut off: ${code.textContent?.slice(0, 60)}`),
        ]);
        found.push(...cut.map((what) => `${name}: ${what}`));
      }
      assert.deepEqual(found, []);
      await page.close();
    });

    test("the site works from a disk, and the playground says why it does not", async () => {
      const page = await running.browser.newPage(); // the search complains in the console
      await page.goto(new URL("index.html", SITE).href);
      await page.click("a[href='install.html'].md-button");
      await page.waitForFunction(() => location.pathname.endsWith("/install.html"));
      assert.match(await page.$eval("h1", (found) => found.textContent ?? ""), /^Install/);
      const [color, mark] = await page.evaluate(() => [
        getComputedStyle(document.body).backgroundColor,
        /** @type {HTMLImageElement} */ (document.querySelector(".md-logo img")).naturalWidth,
      ]);
      assert.match(String(color), /rgb\(246, 248, 247\)/);
      assert.ok(Number(mark) > 0);
      await page.goto(new URL("playground/index.html", SITE).href);
      await page.waitForSelector("#failure:not([hidden])");
      assert.match(await page.$eval("#failure", (found) => found.textContent ?? ""), /http\.server/);
      await page.close();
    });
  },
  BROWSERS.slice(0, 1),
);
