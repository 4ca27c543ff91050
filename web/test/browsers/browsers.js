// The browsers of the tests, each with a server and pages that fail the test on any error.

import assert from "node:assert/strict";
import { after, afterEach, before, describe } from "node:test";
import puppeteer from "puppeteer-core";
import { serve } from "./server.js";

/** @typedef {import("puppeteer-core").Page} Page */

/** @type {{ browser: "chrome" | "firefox", executablePath: string, args: string[] }[]} */
export const BROWSERS = [
  { browser: "chrome", executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] },
  { browser: "firefox", executablePath: "/usr/bin/firefox-esr", args: [] },
];
export const WORDS = "/vectors/crowds-64.hushbit";
const PHONE = { width: 360, height: 640 };

/** A browser that runs, for the tests of a file. */
export class Running {
  /** What pages complained about. @type {string[]} */
  errors = [];
  /** @type {Awaited<ReturnType<typeof serve>>} */
  server = /** @type {any} */ (undefined);
  /** @type {import("puppeteer-core").Browser} */
  browser = /** @type {any} */ (undefined);
  name;

  /** @param {string} name */
  constructor(name) {
    this.name = name;
  }

  /** Errors that a test has asked for. @param {string} part of their messages */
  forgive(part) {
    this.errors = this.errors.filter((error) => !error.includes(part));
  }

  /**
   * A page that fails the test on any error.
   * @param {string} path
   * @param {{ width: number, height: number }} [size]
   * @param {"light" | "dark"} [scheme]
   */
  async openPage(path, size = PHONE, scheme = "light") {
    const page = await this.browser.newPage();
    page.setDefaultTimeout(60_000);
    page.on("pageerror", (error) => this.errors.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") this.errors.push(message.text());
    });
    await page.setViewport(size);
    if (this.name === "chrome") {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    }
    await page.goto(this.server.origin + path);
    return page;
  }
}

/** The text of an element. @param {Page} page @param {string} selector */
export const textOf = (page, selector) => page.$eval(selector, (found) => found.textContent ?? "");

/**
 * The same tests in each browser.
 * @param {(running: Running) => void} tests
 * @param {typeof BROWSERS} [browsers]
 */
export function inBrowsers(tests, browsers = BROWSERS) {
  for (const options of browsers) {
    describe(options.browser, () => {
      const running = new Running(options.browser);
      before(async () => {
        running.server = await serve();
        running.browser = await puppeteer.launch({
          ...options,
          headless: true,
          timeout: 120_000,
          protocolTimeout: 120_000,
        });
      });
      afterEach(() => assert.deepEqual(running.errors.splice(0), []));
      after(async () => {
        await running.browser?.close();
        await running.server?.close();
      });
      tests(running);
    });
  }
}
