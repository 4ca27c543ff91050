// The golden vectors, which an independent reference wrote (tests/vectors/README.md).

import { type Bundle, type Embedding, type PrivatizedText, isHushbitError, load, openProjection } from "../src/index";
import { close, equal, fails, host, test, vectors } from "./harness";

// The fields are those of the files.
type Item = any;

const readJson = (name: string): Item => JSON.parse(host.readFile(`${vectors}/${name}`));
const openNamed = (name: string) => load(`${vectors}/${name}`);
const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
const textOf = (hex: string) => decodeURIComponent(hex.replace(/../g, "%$&"));
const linesOf = (hex: string) => textOf(hex).split("\n");
const unitsBefore = (hex: string, byte: number) => textOf(hex.slice(0, 2 * byte)).length;
const integer = (hex: string) => BigInt(`0x${hex}`);

// hushbit_status, by number.
const STATUSES = ["", "INVALID_ARGUMENT", "", "", "", "", "", "RANDOMNESS_FAILED", "INVALID_TEXT", "UNKNOWN_WORD"];

/** A device key in the middle of a larger buffer. */
function deviceKey(hex: string) {
  const key = new Uint8Array(40).subarray(3, 35);
  key.set(bytesOf(hex));
  return key;
}

/** The options that every case has. */
const sharedOptions = (item: Item) => ({
  epsilon: item.epsilon,
  epoch: integer(item.epoch),
  ...(item.punctuation === undefined ? {} : { punctuation: item.punctuation }),
  ...(item.device_key === null ? {} : { deviceKey: deviceKey(item.device_key) }),
});

/** What a call gives, if it fails as the case wants nothing. */
async function outcome<Value>(item: Item, call: () => Promise<Value>): Promise<Value | undefined> {
  host.setRandomness(item.seed ?? "", item.stream ?? "");
  try {
    const value = await call();
    equal(item.status ?? 0, 0);
    equal(host.randomnessLeft(), 0);
    return value;
  } catch (error) {
    if (!isHushbitError(error)) throw error;
    equal(error.status, STATUSES[item.status ?? 0]);
    if (error.status === "UNKNOWN_WORD") equal(error.position, unitsBefore(item.text, item.position));
    return undefined;
  }
}

/** Runs every case that a string of JavaScript can hold, and says which one failed. */
async function eachCase(cases: Item[], check: (item: Item) => Promise<void>) {
  const possible = cases.filter((item) => STATUSES[item.status ?? 0] !== "INVALID_TEXT");
  equal(possible.length > 0, true);
  for (const item of possible) {
    await check(item).catch((error) => {
      throw new Error(`${item.name}: ${error}`);
    });
  }
}

function checkPrivatizedText(item: Item, { text, tokens, cost }: PrivatizedText) {
  equal(text, textOf(item.output));
  equal(
    tokens.map((token) => [token.kind, token.wordId, [token.utf16Begin, token.utf16End]]),
    item.tokens.map((token: Item) => [token.kind, token.id, token.utf16]),
  );
  tokens.forEach(({ outputBegin, outputEnd }, i) => {
    const bytes = item.tokens[i].output;
    if (bytes === null) equal(outputBegin, outputEnd);
    else
      equal(
        [outputBegin, outputEnd],
        bytes.map((byte: number) => unitsBefore(item.output, byte)),
      );
  });
  close(cost.epsilon, item.cost.epsilon);
  close(cost.average, item.cost.average ?? Infinity);
  close(cost.worstCase, item.cost.worst_case ?? Infinity);
  for (const name of ["words", "unknown", "dropped", "verbatim"] as const) equal(cost[name], item.cost[name]);
  equal(cost.publicWords, item.cost.public_words ?? 0);
}

async function checkPrivatized(bundle: Bundle, item: Item) {
  const { mechanism, beta, oov } = item;
  const options = { ...sharedOptions(item), mechanism, beta, oov, mask: textOf(item.mask), allowUnchanged: true };
  const privatizer = bundle.privatizer({ ...options, ...(item.crowd ? { crowdSize: item.crowd } : {}) });
  const released = await outcome(item, () => privatizer.privatize(textOf(item.text)));
  const { info } = privatizer;
  privatizer.dispose();
  if (released === undefined) return;
  checkPrivatizedText(item, released);
  equal(info.mechanism, item.mechanism);
  equal(info.flipThreshold, integer(item.flip_threshold));
  equal(info.gamma, item.gamma);
  equal(info.memoized, item.device_key !== null);
  if (item.crowd_threshold === undefined) return;
  equal(info.crowdThreshold, integer(item.crowd_threshold));
  equal([info.crowdMass, info.outputMass], [item.crowd_mass, item.output_mass]);
  close(info.meanCrowd, item.mean_crowd);
}

for (const name of [
  "words-64",
  "words-256",
  "twins-128",
  "single-512",
  "crowds-64",
  "outputs-128",
  "crowds-by-codes",
]) {
  test(`privatizers, ${name}`, async () => {
    const file = readJson(`privatize-${name}.json`);
    const bundle = await openNamed(file.bundle);
    bundle.verify();
    const { info } = bundle;
    equal([info.hash, info.bits, info.words], [file.bundle_hash, file.bits, file.words.length]);
    equal([info.maxDistance, info.maxWordBytes], [file.max_distance, file.max_word_bytes]);
    equal(info.averageDistance, file.average_distance);
    file.words.forEach((hex: string, id: number) => {
      equal(bundle.word(id), textOf(hex));
      equal(bundle.find(textOf(hex)), id);
    });
    await eachCase(file.cases, (item) => checkPrivatized(bundle, item));
    bundle.dispose();
  });
}

function checkEmbedding(item: Item, embedding: Embedding) {
  equal(embedding.index, item.index);
  let signs = 0n;
  embedding.direction.forEach((sign, i) => (signs |= sign === 1 ? 1n << BigInt(i) : 0n));
  equal(signs, integer(item.signs));
  equal(
    embedding.direction.every((sign) => sign === 1 || sign === -1),
    true,
  );
}

for (const name of ["embed-64", "embed-128"]) {
  test(`embedders, ${name}`, async () => {
    const file = readJson(`${name}.json`);
    const bundle = await openNamed(file.bundle);
    const promised = bundle.embedder().info;
    equal([promised.hash, promised.seed], [file.bundle_hash, integer(file.seed)]);
    equal([promised.dimensions, promised.directions], [file.dimensions, file.directions]);
    await eachCase(file.cases, async (item) => {
      const embedder = bundle.embedder(sharedOptions(item));
      const embedding = await outcome(item, () => embedder.embed(textOf(item.text)));
      if (embedding === undefined) return;
      checkEmbedding(item, embedding);
      const { info } = embedder;
      equal(embedding.epsilon, info.effectiveEpsilon);
      equal(embedding.direction.length, info.dimensions);
      equal([info.crowdThreshold, info.crowdDirections], [integer(item.crowd_threshold), item.crowd_directions]);
      close(info.effectiveEpsilon, item.effective_epsilon);
    });
    bundle.dispose();
  });
}

test("embedders of vectors", async () => {
  const file = readJson("embed-vectors.json");
  const projection = bytesOf(file.projection);
  const { info } = await openProjection(projection);
  equal([info.hash, info.seed, info.inputNumbers], [file.hash, integer(file.seed), file.input_numbers]);
  equal([info.dimensions, info.directions], [file.dimensions, file.directions]);
  await eachCase(file.cases, async (item) => {
    const embedder = await openProjection(projection, sharedOptions(item));
    const embedding = await outcome(item, () => embedder.embedVector(Float32Array.from(item.numbers)));
    if (embedding !== undefined) checkEmbedding(item, embedding);
    embedder.dispose();
  });
});

test("classifiers", async () => {
  const file = readJson("classify.json");
  const bundle = await openNamed(file.bundle);
  const embedder = bundle.embedder();
  for (const { weights } of file.refused) await fails("INVALID_ARGUMENT", () => embedder.classifier(textOf(weights)));
  const classifier = embedder.classifier(textOf(file.weights));
  equal(classifier.classes, file.classes.map(textOf));
  for (const item of file.cases) {
    const { name, probabilities } = classifier.classify(textOf(item.text));
    equal(name, textOf(file.classes[item.best]));
    const shares: number[] = item.log_odds.map((value: number) => Math.exp(value));
    const sum = shares.reduce((total, share) => total + share);
    probabilities.forEach((probability, i) => close(probability, shares[i] / sum));
    equal(probabilities.length, shares.length);
  }
});

test("reports", async () => {
  await eachCase(readJson("reports.json").cases, async (item) => {
    // Reports of emoji and of a list do not depend on the bundle.
    const bundle = await openNamed(item.bundle ?? "words-64.hushbit");
    const values = item.values === "list" ? linesOf(item.list) : item.values;
    const more = item.values === "list" ? { none: item.none } : { skinTones: item.skin_tones };
    const reporter = bundle.reporter({ ...sharedOptions(item), ...more, values, passOver: linesOf(item.pass_over) });
    const report = await outcome(item, () => {
      if (item.value !== undefined) return reporter.reportValue(item.value);
      return item.word === undefined ? reporter.report(textOf(item.text)) : reporter.reportWord(textOf(item.word));
    });
    bundle.dispose();
    if (report === undefined) return;
    equal([report.report, report.values, report.version], [item.report, item.hash.slice(0, 16), 1]);
    equal(report.epsilon, item.epsilon);
    equal(reporter.info.hash, item.hash);
  });
});
