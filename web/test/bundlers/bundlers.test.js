// The package in the projects of docs/bundlers.md: each is built and run, and makes a sentence private.
// tools/suites/web.sh installs what they need.

import assert from "node:assert/strict";
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { installed, node, project, run, textOfPage, withFiles, withServer } from "./projects.js";

const NODES = [20, 22, 24, 26];
const SENTENCE = "meet me at the station";

/** @param {string} text whose last line is a sentence of five words */
function assertPrivate(text) {
  const last = text.trim().split("\n").at(-1) ?? "";
  assert.match(last, /^\p{L}\S*( \S+){4}$/u, text);
}

/** @param {string} origin of a page with a text that it made private, and one of its worker */
async function assertTwoTexts(origin) {
  const texts = (await textOfPage(origin, 10)).trim().split("\n");
  assert.equal(texts.length, 2);
  texts.forEach(assertPrivate);
}

/** @param {string} folder of a page that was built */
const assertPageWorks = (folder) => withFiles(folder, assertTwoTexts);

test("Vite, server for development", async () => {
  const folder = project("vite");
  const vite = installed("vite/bin/vite.js");
  const options = (/** @type {string} */ port) => [vite, "--port", port, "--strictPort", "--host", "localhost"];
  await withServer(folder, process.execPath, options, assertTwoTexts);
});

test("Vite, build", async () => {
  const folder = project("vite");
  await run(folder, process.execPath, [installed("vite/bin/vite.js"), "build"]);
  await assertPageWorks(join(folder, "dist"));
});

test("webpack", async () => {
  const folder = project("webpack");
  const program = `
    import webpack from "webpack";
    import config from "./webpack.config.js";
    webpack(config, (error, stats) => {
      if (!error && !stats.hasErrors() && !stats.hasWarnings()) return;
      console.error(error ?? stats.toString());
      process.exit(1);
    });`;
  await run(folder, process.execPath, ["--input-type=module", "--eval", program]);
  copyFileSync(join(folder, "index.html"), join(folder, "dist/index.html"));
  await assertPageWorks(join(folder, "dist"));
});

test("Rollup", async () => {
  const folder = project("rollup");
  await run(folder, process.execPath, [installed("rollup/dist/bin/rollup"), "--config", "--failAfterWarnings"]);
  copyFileSync(join(folder, "index.html"), join(folder, "dist/index.html"));
  await assertPageWorks(join(folder, "dist"));
});

test("esbuild", async () => {
  const folder = project("esbuild");
  await run(folder, process.execPath, ["build.js"]);
  copyFileSync(join(folder, "index.html"), join(folder, "dist/index.html"));
  await assertPageWorks(join(folder, "dist"));
});

test("a service worker", async () => {
  const folder = project("service-worker");
  await run(folder, process.execPath, ["build.js"]);
  copyFileSync(join(folder, "index.html"), join(folder, "dist/index.html"));
  await withFiles(join(folder, "dist"), async (origin) => assertPrivate(await textOfPage(origin, 5)));
});

for (const bundler of ["turbopack", "webpack"]) {
  test(`Next.js by ${bundler}, server and client`, async () => {
    const folder = project("next");
    rmSync(join(folder, "main.js"));
    const next = installed("next/dist/bin/next");
    await run(folder, process.execPath, [next, "build", `--${bundler}`], { NEXT_TELEMETRY_DISABLED: "1" });
    const options = (/** @type {string} */ port) => [next, "start", "--port", port];
    await withServer(folder, process.execPath, options, async (origin) => {
      assertPrivate(await textOfPage(origin, 5));
      const response = await fetch(`${origin}/api/private`, { method: "POST", body: SENTENCE });
      assertPrivate(await response.text());
    });
  });
}

test("Vitest", async () => {
  const shown = await run(project("vitest"), node(24), [installed("vitest/vitest.mjs"), "run"]);
  assert.match(shown, /1 passed/);
});

test("Jest", async () => {
  const options = ["--experimental-vm-modules", installed("jest/bin/jest.js")];
  assert.match(await run(project("jest"), process.execPath, options), /1 passed/);
});

for (const major of NODES) {
  test(`Node ${major}: import and require`, async () => {
    const folder = project("node");
    assertPrivate(await run(folder, node(major), ["--no-warnings", "main.js"]));
    assertPrivate(await run(folder, node(major), ["--no-warnings", "main.cjs"]));
  });
}

test("Deno", async () => {
  const deno = installed("@deno/linux-x64-glibc/deno");
  assertPrivate(await run(project("deno"), deno, ["run", "--no-prompt", "--allow-read", "main.js"]));
});

test("Bun", async () => {
  assertPrivate(await run(project("bun"), installed("@oven/bun-linux-x64/bin/bun"), ["main.js"]));
});

test("Cloudflare Workers", async () => {
  const wrangler = installed("wrangler/bin/wrangler.js");
  const options = (/** @type {string} */ port) => [wrangler, "dev", "--port", port, "--ip", "127.0.0.1", "--local"];
  await withServer(project("workers"), node(24), options, async (origin) => {
    const response = await fetch(origin, { method: "POST", body: SENTENCE });
    assertPrivate(await response.text());
  });
});
