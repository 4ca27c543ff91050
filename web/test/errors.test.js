// What is wrong is said, and then nothing is released.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { HushbitError, load } from "../src/index.js";
import { Core } from "../src/core.js";
import { openBundle } from "../src/load.js";
import { VECTORS, module, openGiven, readVector } from "./support.js";

const whole = readVector("words-64.hushbit");

/**
 * @param {string} status
 * @param {RegExp} [message]
 */
const failsWith =
  (status, message = /./) =>
  (/** @type {unknown} */ error) => {
    assert.ok(error instanceof HushbitError && error instanceof Error, String(error));
    assert.equal(error.status, status);
    assert.match(error.message, message);
    return true;
  };

test("a bundle cut short is called so, wherever it is cut", async () => {
  for (const length of [1, 4, 8, 100, 300, whole.length - 1]) {
    await assert.rejects(load(whole.slice(0, length)), failsWith("CORRUPT_BUNDLE"));
  }
  await assert.rejects(load(whole.slice(0, whole.length - 1)), failsWith("CORRUPT_BUNDLE", /cut off/));
  await assert.rejects(load(new ArrayBuffer(0)), failsWith("CORRUPT_BUNDLE", /not a Hushbit bundle/));
});

test("a bundle of a newer version asks for a newer library", async () => {
  const newer = whole.slice();
  newer[12] = 9; // the major version; the header's CRC is made to fit
  const header = newer.subarray(0, crcPlace(newer));
  new DataView(newer.buffer).setUint32(header.length, crc32(header), true);
  await assert.rejects(load(newer), failsWith("UNSUPPORTED_BUNDLE", /newer Hushbit/));
});

test("a web page in place of a bundle is called so", async () => {
  for (const page of ["<!doctype html><title>404</title>", "\n  <html></html>"]) {
    await assert.rejects(load(new TextEncoder().encode(page)), failsWith("CORRUPT_BUNDLE", /web page/));
    await assert.rejects(load(new Response(page)), failsWith("CORRUPT_BUNDLE", /web page/));
  }
});

test("damage that opening overlooks is found by verify", async () => {
  const damaged = whole.slice();
  damaged[damaged.length - 5] ^= 1;
  const { bundle } = await openGiven(damaged);
  assert.throws(() => bundle.verify(), failsWith("CORRUPT_BUNDLE"));
});

test("over the network: found, not found, cut short, unreachable", async () => {
  const server = createServer((request, response) => {
    if (request.url === "/words") response.end(whole);
    else if (request.url === "/short") {
      response.writeHead(200, { "content-length": whole.length });
      response.write(whole.subarray(0, 1000), () => response.destroy());
    } else response.writeHead(404, { "content-type": "text/html" }).end("<html>");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  const at = (/** @type {string} */ path) => `http://127.0.0.1:${address.port}/${path}`;
  try {
    for (const source of [at("words"), new URL(at("words")), fetch(at("words"))]) {
      assert.equal((await load(source)).info.words, 749);
    }
    await assert.rejects(load(at("none")), failsWith("FILE_NOT_FOUND", /404/));
    await assert.rejects(load(at("short")), failsWith("READ_FAILED", /interrupted/));
  } finally {
    server.close();
    server.closeAllConnections();
  }
  await assert.rejects(load(at("words")), failsWith("READ_FAILED", /no network/));
});

test("from disk, memory and a file object", async () => {
  const url = new URL("words-64.hushbit", VECTORS);
  for (const source of [
    url,
    url.href,
    url.pathname,
    whole,
    whole.buffer,
    new Blob([whole]),
    new DataView(whole.buffer),
  ]) {
    const bundle = await load(source);
    assert.equal(bundle.info.words, 749);
    bundle.dispose();
  }
  await assert.rejects(load("no-such.hushbit"), failsWith("FILE_NOT_FOUND", /no-such/));
  await assert.rejects(load(new URL(".", VECTORS)), failsWith("READ_FAILED"));
});

test("without randomness nothing is released", async () => {
  const { bundle, random } = await openGiven(whole);
  const privatizer = bundle.privatizer();
  random.fail();
  await assert.rejects(privatizer.privatize("the cat"), failsWith("RANDOMNESS_FAILED"));
  const throwing = await Core.instantiate(module, () => {
    throw new Error("QuotaExceededError");
  });
  const other = openBundle(throwing, whole).privatizer();
  await assert.rejects(other.privatize("the cat"), failsWith("RANDOMNESS_FAILED"));
});

test("options that cannot be are refused by name", async () => {
  const { bundle } = await openGiven(whole);
  /** @type {[any, RegExp][]} */
  const wrong = [
    [{ epsilon: -1 }, /epsilon is -1/],
    [{ epsilon: NaN }, /epsilon/],
    [{ epsilon: Infinity }, /epsilon/],
    [{ epsilon: "1" }, /epsilon/],
    [{ mechanism: "laplace", epsilon: 1 }, /one of: brr, tem, crowd/],
    [{ mechanism: "toString", epsilon: 1 }, /one of/],
    [{ oov: "keep" }, /oov/],
    [{ punctuation: "" }, /punctuation/],
    [{ oov: "mask", mask: "" }, /mask/],
    [{ oov: "mask", mask: "x".repeat(65) }, /mask/],
    [{ mechanism: "tem", epsilon: 0.1, beta: 2 }, /beta/],
    [{ mechanism: "tem", epsilon: 6 }, /leaves more than about half of the words/],
    [{ allowUnchanged: 1 }, /allowUnchanged is 1/],
    [{ deviceKey: new Uint8Array(31) }, /32 bytes/],
    [{ deviceKey: "key" }, /32 bytes/],
    [{ epoch: -1 }, /epoch/],
    [{ epoch: 1.5 }, /epoch/],
    [{ epoch: 2n ** 64n }, /epoch/],
    [{ epsilonn: 1 }, /no option epsilonn/],
    [{ mechanism: "crowd" }, /give an epsilon for crowd/],
  ];
  for (const [options, message] of wrong) {
    assert.throws(() => bundle.privatizer(options), failsWith("INVALID_ARGUMENT", message));
  }
  assert.equal(bundle.privatizer({ mechanism: "tem", epsilon: 6, allowUnchanged: true }).info.requestedEpsilon, 6);
  const privatizer = bundle.privatizer();
  await assert.rejects(privatizer.privatize(/** @type {any} */ (7)), failsWith("INVALID_ARGUMENT"));
});

test("what is disposed refuses, may be disposed again, and takes its privatizers along", async () => {
  const { bundle, random } = await openGiven(whole);
  random.seed(new Uint8Array(32));
  const first = bundle.privatizer();
  const second = bundle.privatizer();
  await first.privatize("the");
  first.dispose();
  first[Symbol.dispose]();
  await assert.rejects(first.privatize("the"), failsWith("INVALID_ARGUMENT", /disposed/));
  await second.privatize("the");
  bundle[Symbol.dispose]();
  bundle.dispose();
  assert.ok(bundle.disposed && second.disposed);
  await assert.rejects(second.privatize("the"), failsWith("INVALID_ARGUMENT", /disposed/));
  assert.throws(() => bundle.privatizer(), failsWith("INVALID_ARGUMENT", /disposed/));
});

test("no message holds what was typed", async () => {
  const { bundle } = await openGiven(whole);
  const privatizer = bundle.privatizer({ oov: "error" });
  await assert.rejects(privatizer.privatize("the xyzzyqx"), (error) => {
    failsWith("UNKNOWN_WORD")(error);
    return !String(error).includes("xyzzyqx") && !JSON.stringify(error).includes("xyzzyqx");
  });
});

/** Where the CRC of a header is. @param {Uint8Array} bytes */
function crcPlace(bytes) {
  const view = new DataView(bytes.buffer);
  for (let at = 16; at < 512; at += 4) {
    if (view.getUint32(at, true) === crc32(whole.subarray(0, at))) return at;
  }
  return assert.fail("no CRC");
}

/** @param {Uint8Array} bytes */
function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let i = 0; i < 8; ++i) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
