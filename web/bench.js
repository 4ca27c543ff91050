// Words a second and microseconds an embedding in Node beside the native core, as tools/bench/web runs it:
//
//   bench.js NATIVE_PRIVATIZE_BENCH NATIVE_EMBED_BENCH BUNDLE TEXTFILE

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

const TEXTS = 200;
const REPEATS = 15; // of each text; the fastest fifth of them, so that other programs count less

/**
 * As native/bench/embed_bench.cpp measures: the median over texts of so many words, in microseconds of CPU time.
 * @param {import("./src/index.js").Embedder} embedder
 * @param {string[]} words
 * @param {number} length
 */
async function measureEmbeddings(embedder, words, length) {
  const each = [];
  for (let first = 0; first + length <= words.length && each.length < TEXTS; first += length) {
    const text = `${words.slice(first, first + length).join(" ")} `;
    const times = [];
    for (let i = 0; i < REPEATS; i++) {
      const start = process.cpuUsage();
      await embedder.embed(text);
      const { user, system } = process.cpuUsage(start);
      times.push(user + system);
    }
    each.push(times.sort((a, b) => a - b)[Math.floor(REPEATS / 5)]);
  }
  return each.sort((a, b) => a - b)[Math.floor(each.length / 2)];
}

const [, , nativeBench, nativeEmbedBench, bundlePath, textPath] = process.argv;
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

const words = lines
  .join(" ")
  .split(" ")
  .filter((word) => word !== "");
const embedder = bundle.embedder();
await measureEmbeddings(embedder, words, 16); // until it is compiled for speed
const embedReport = execFileSync(nativeEmbedBench, [bundlePath, textPath], { encoding: "utf8" });
console.log("\nwords of a text   Node µs an embedding   native µs   Node / native");
for (const [, length, native] of embedReport.matchAll(/^ *(\d+) words +([\d.]+) us/gm)) {
  const time = await measureEmbeddings(embedder, words, Number(length));
  const cells = [time.toFixed(0).padStart(20), native.padStart(11), (time / Number(native)).toFixed(2).padStart(15)];
  console.log(`${length.padStart(15)}   ${cells.join(" ")}`);
}
