// What the tests share: a few assertions, and what engine.cpp gives them.

import { isHushbitError } from "../src/index";
import type { Status } from "../src/index";

interface Host {
  readonly vectors: string;
  readonly temporary: string;
  readFile(path: string): string;
  writeFile(path: string, contents: string): void;
  /** The keystream of a seed, or a stream of bytes, for the calls that follow; hexadecimal, and empty for none. */
  setRandomness(seed: string, stream: string): void;
  /** The bytes of the stream that were not used. */
  randomnessLeft(): number;
}
export const { host } = globalThis as unknown as { host: Host };
export const { temporary, vectors } = host;

export const tests: { name: string; body: () => void | Promise<void> }[] = [];
export const test = (name: string, body: () => void | Promise<void>) => void tests.push({ name, body });

/** The same for equal values, of objects too. */
const written = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === "bigint" || part === Infinity ? `${typeof part} ${part}` : part));

export function equal(actual: unknown, expected: unknown) {
  if (written(actual) !== written(expected)) throw new Error(`${written(actual)} is not ${written(expected)}`);
}

export function close(actual: number, expected: number) {
  const near = actual === expected || Math.abs(actual - expected) <= 1e-12 * Math.abs(expected);
  if (!near) throw new Error(`${actual} is not close to ${expected}`);
}

/** What the failures of this package are: an Error with a status, whose message does not hold what was typed. */
export async function fails(status: Status, call: () => unknown, secret = "xyzzysecret") {
  let error: unknown;
  try {
    await call();
  } catch (thrown) {
    error = thrown;
  }
  if (!isHushbitError(error)) throw new Error(`${error} is no failure of this package; wanted ${status}`);
  equal(error.status, status);
  equal(error.message.length > 10 && !error.message.includes(secret), true);
  equal(typeof error.position, "number");
  return error;
}
