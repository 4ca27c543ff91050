// Projects as a user of the package has them, next to what npm installed, and what runs their tools, servers and pages.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import puppeteer from "puppeteer-core";

const FIXTURES = fileURLToPath(new URL("./", import.meta.url));
/** Where tools/suites/web.sh installs the tools and the packed package. */
export const INSTALLED = fileURLToPath(new URL("../../../build/web/bundlers/", import.meta.url));
const PATIENCE = 180_000; // milliseconds: for machines that do other work
const TYPES = new Map([
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript"],
  [".wasm", "application/wasm"],
]);

/** A file that npm installed. @param {string} path */
export const installed = (path) => join(INSTALLED, "node_modules", path);
/** The Node of a major version. @param {number} major */
export const node = (major) => installed(`node-${major}/bin/node`);

/**
 * Copies a project, and what several have in common, to where the tools are.
 * @param {string} name
 * @returns {string} its folder
 */
export function project(name) {
  const folder = join(INSTALLED, name);
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(FIXTURES, "common"), folder, { recursive: true });
  cpSync(join(FIXTURES, name), folder, { recursive: true });
  return folder;
}

/**
 * Runs a program to its end.
 * @param {string} folder
 * @param {string} program
 * @param {string[]} options
 * @param {Record<string, string>} [environment]
 * @returns {Promise<string>} what it wrote
 */
export async function run(folder, program, options, environment = {}) {
  const env = { ...process.env, NODE_ENV: undefined, NODE_TEST_CONTEXT: undefined, ...environment };
  const { stdout, stderr } = await promisify(execFile)(program, options, { cwd: folder, env, timeout: PATIENCE });
  return stdout + stderr;
}

/**
 * Runs a server while `use` runs.
 * @template Value
 * @param {string} folder
 * @param {string} program
 * @param {(port: string) => string[]} options
 * @param {(origin: string) => Promise<Value>} use
 */
export async function withServer(folder, program, options, use) {
  const port = await freePort();
  const env = { ...process.env, NODE_ENV: undefined, NODE_TEST_CONTEXT: undefined, CI: "true" };
  // A process group of its own, so that what it starts ends with it.
  const server = spawn(program, options(String(port)), { cwd: folder, env, detached: true, stdio: "pipe" });
  let log = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (chunk) => (log += chunk));
  try {
    const origin = `http://localhost:${port}`;
    for (const end = Date.now() + PATIENCE; !(await answers(origin)); await sleep(200)) {
      assert.equal(server.exitCode, null, `the server ended:\n${log}`);
      assert.ok(Date.now() < end, `the server does not answer:\n${log}`);
    }
    return await use(origin);
  } catch (error) {
    process.stderr.write(log);
    throw error;
  } finally {
    process.kill(-(server.pid ?? 0), "SIGKILL");
  }
}

/** @param {string} origin */
const answers = (origin) =>
  fetch(origin, { method: "HEAD" }).then(
    () => true,
    () => false,
  );

async function freePort() {
  const server = createServer();
  const { port, close } = await listen(server);
  await close();
  return port;
}

/** @param {import("node:http").Server} server */
async function listen(server) {
  await new Promise((resolve) => server.listen(0, "localhost", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { port, close };
}

/**
 * Serves a folder while `use` runs.
 * @template Value
 * @param {string} folder
 * @param {(origin: string) => Promise<Value>} use
 */
export async function withFiles(folder, use) {
  const { port, close } = await listen(
    createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://localhost");
      const file = join(folder, pathname === "/" ? "index.html" : pathname);
      if (!existsSync(file)) return void response.writeHead(404).end();
      response.setHeader("content-type", TYPES.get(extname(file)) ?? "application/octet-stream");
      response.end(readFileSync(file));
    }),
  );
  try {
    return await use(`http://localhost:${port}`);
  } finally {
    await close();
  }
}

/**
 * The text of a page, when it has as many words as are asked for. Fails on any error of the page.
 * @param {string} url
 * @param {number} words
 */
export async function textOfPage(url, words) {
  const browser = await puppeteer.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
    timeout: PATIENCE,
    protocolTimeout: PATIENCE,
  });
  try {
    const page = await browser.newPage();
    /** @type {string[]} */
    const errors = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => {
      const { url = "" } = message.location();
      if (message.type() === "error" && !url.endsWith("/favicon.ico")) errors.push(`${message.text()} ${url}`);
    });
    await page.goto(url, { timeout: PATIENCE });
    const enough = `document.body.innerText.trim().split(/\\s+/).length >= ${words}`;
    await page.waitForFunction(enough, { timeout: PATIENCE }).catch((error) => errors.push(String(error)));
    assert.deepEqual(errors, []);
    return await page.evaluate(() => document.body.innerText);
  } finally {
    await browser.close();
  }
}
