// What the field policy says of the fields that Android and iOS compare, too: in Chromium and in Firefox.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import puppeteer from "puppeteer-core";
import { serve } from "./server.js";

/** @type {{ browser: "chrome" | "firefox", executablePath: string, args: string[] }[]} */
const BROWSERS = [
  { browser: "chrome", executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] },
  { browser: "firefox", executablePath: "/usr/bin/firefox-esr", args: [] },
];

/** Runs in the page: the fields of the table for which the policy says something else. */
async function compare() {
  const path = "/src/share.js";
  const { fieldPolicy } = await import(path);
  const { fields, secret_names, plain_names } = await (await fetch("/vectors/fields.json")).json();
  const rows = fields.filter((/** @type {any} */ { web }) => web !== null);
  const judge = (/** @type {any} */ { element, attributes = {}, inside = {}, label = "", was = "" }) => {
    const around = document.createElement("label");
    const field = document.createElement(element);
    around.append(label, field);
    document.body.append(around);
    if (was) field.type = was;
    fieldPolicy(field);
    for (const [key, value] of Object.entries(inside)) around.setAttribute(key, String(value));
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "style") field.style.setProperty("-webkit-text-security", "disc");
      else field.setAttribute(key, value);
    }
    const decision = fieldPolicy(field);
    around.remove();
    return decision;
  };
  const found = rows.map((/** @type {any} */ { field, web }) => [field, web.decision, judge(web)]);
  for (const [names, decision] of /** @type {[string[], string][]} */ ([
    [secret_names, "password"],
    [plain_names, "allowed"],
  ])) {
    for (const label of names.flatMap((name) => [name, name.toUpperCase(), `(${name})`])) {
      found.push([label, decision, judge({ element: "textarea", label })]);
    }
  }
  return { compared: found.length, wrong: found.filter((/** @type {string[]} */ [, said, is]) => said !== is) };
}

for (const options of BROWSERS) {
  describe(options.browser, () => {
    test("the table of fields", async () => {
      const server = await serve();
      const browser = await puppeteer.launch({ ...options, headless: true, timeout: 120_000 });
      try {
        const page = await browser.newPage();
        await page.goto(server.origin + "/strict.html");
        const { compared, wrong } = await page.evaluate(compare);
        assert.ok(compared > 150);
        assert.deepEqual(wrong, []);
      } finally {
        await browser.close();
        await server.close();
      }
    });
  });
}
