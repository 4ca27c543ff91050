// Words a second in Node beside the native core: bench.js NATIVE_BENCH BUNDLE TEXTFILE. tools/bench/web runs it.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { load } from "./src/index.js";

const SECONDS = 2;

/**
 * As native/bench/privatize_bench.cpp measures: lines in turn, each a release, CPU time.
 * @param {import("./src/index.js").Privatizer} privatizer
 * @param {string[]} lines
 */
async function measure(privatizer, lines) {
  for (const line of lines.slice(0, 500)) await privatizer.privatize(line); // until it is compiled for speed
  const start = process.cpuUsage();
  let words = 0;
  let seconds = 0;
  for (let i = 0; seconds < SECONDS; i = (i + 1) % lines.length) {
    const { cost } = await privatizer.privatize(lines[i]);
    words += cost.words + cost.unknown;
    const { user, system } = process.cpuUsage(start);
    seconds = (user + system) / 1e6;
  }
  return words / seconds;
}

const [, , nativeBench, bundlePath, textPath] = process.argv;
const bundle = await load(bundlePath);
const lines = readFileSync(textPath, "utf8").split("\n");
const report = execFileSync(nativeBench, [bundlePath, textPath], { encoding: "utf8" });
console.log("mechanism       epsilon   Node words/s   native words/s   Node / native");
for (const [, name, epsilon, native] of report.matchAll(/^(\w.{13}) epsilon (\S+) +(\d+) words/gm)) {
  const [mechanism, crowd] = name.trim().split(", ");
  const chosen = { mechanism, epsilon: Number(epsilon), allowUnchanged: true };
  const options = { ...chosen, ...(crowd === undefined ? {} : { crowd }) };
  const speed = await measure(bundle.privatizer(/** @type {any} */ (options)), lines);
  const cells = [speed.toFixed(0).padStart(12), native.padStart(16), (speed / Number(native)).toFixed(2).padStart(15)];
  console.log(`${name}  ${epsilon.padEnd(7)} ${cells.join(" ")}`);
}
