// What the package refuses, with which status; that no message holds what was typed; what is disposed; and what the
// golden vectors do not have: budgets, crowds, the nearest words.

import { Budget, type Bundle, isHushbitError, load, openProjection } from "../src/index";
import { close, equal, fails, host, temporary, test, vectors } from "./harness";

const SECRET = "xyzzysecret"; // which no message may hold
const open = (name = "words-64") => load(`${vectors}/${name}.hushbit`);

/** What no program in TypeScript passes. */
const wrong = (value: unknown) => value as never;

test("files that are no bundles", async () => {
  await fails("FILE_NOT_FOUND", () => load("/no/such/file"));
  await fails("CORRUPT_BUNDLE", () => load(`${vectors}/README.md`));
  await fails("INVALID_ARGUMENT", () => load("a\0b"));
  await fails("INVALID_ARGUMENT", () => load(wrong(undefined)));
  await fails("INVALID_ARGUMENT", () => load(wrong(1)));
  equal(isHushbitError(new Error("another")), false);
});

test("a file: URL is a path", async () => {
  const bundle = await load(`file://${encodeURI(vectors)}/words%2D64.hushbit`);
  equal(bundle.info.formatVersion.startsWith("1."), true);
  equal(bundle.info.unicodeVersion.split(".").length, 3);
  equal(typeof JSON.parse(bundle.meta), "object");
});

test("options that do not exist, or of another type or range", async () => {
  const bundle = await open();
  const key = new Uint8Array(32);
  const shared: [string, unknown][] = [
    ["epsilom", 1],
    ["epsilon", "1"],
    ["epsilon", -1],
    ["epoch", -1],
    ["epoch", 0.5],
    ["epoch", 2 ** 53],
    ["epoch", -1n],
    ["epoch", 2n ** 64n],
    ["epoch", "1x"],
    ["punctuation", "keep"],
    ["deviceKey", key.subarray(1)],
    ["deviceKey", "k".repeat(32)],
    ["deviceKey", { buffer: key.buffer, byteOffset: 6, byteLength: 32 }],
    ["budget", {}],
    ["budget", bundle],
    ["budget", bundle.native],
    ["auditLog", 1],
    ["auditLog", "a\0b"],
  ];
  const makers = {
    privatizer: [
      ["mechanism", "none"],
      ["mask", 1],
      ["allowUnchanged", 1],
      ["epsilon", 40],
      ["values", "words"],
    ],
    reporter: [
      ["values", "all"],
      ["values", ["a\nb", "c"]],
      ["passOver", "the"],
      ["skinTones", 1],
      ["mask", "x"],
    ],
  } as const;
  for (const maker of ["privatizer", "reporter"] as const) {
    for (const [name, value] of [...shared, ...makers[maker]]) {
      await fails("INVALID_ARGUMENT", () => bundle[maker](wrong({ [name]: value }))).catch((error) => {
        throw new Error(`${name} of a ${maker}: ${error}`);
      });
    }
  }
  await fails("INVALID_ARGUMENT", () => bundle.embedder()); // a bundle without an embedding
  await fails("INVALID_ARGUMENT", () => openProjection(key));
  await fails("INVALID_ARGUMENT", () => openProjection(wrong("file")));
});

test("options come through", async () => {
  const bundle = await open("crowds-64");
  const { info } = bundle.privatizer({ mechanism: "crowd", epsilon: 4, crowdSize: "few", punctuation: undefined });
  equal([info.mechanism, info.requestedEpsilon, info.crowdSize, info.epsilonUnit], ["crowd", 4, "few", "word"]);
  equal(typeof info.crowdThreshold, "bigint");
  equal(bundle.privatizer().info.requestedEpsilon, bundle.info.defaultEpsilon);
  const brr = bundle.privatizer({ mechanism: "brr", allowUnchanged: true });
  equal([brr.info.requestedEpsilon, brr.info.epsilonUnit], [bundle.info.defaultEpsilonBrr, "bit"]);
  const masked = bundle.privatizer({ oov: "mask", mask: "🙂é" });
  equal((await masked.privatize(SECRET)).text, "🙂é");
  const reporter = bundle.reporter({ values: ["yes", "no"], none: true, epsilon: 1 });
  equal([reporter.info.valueCount, reporter.info.hasNone], [3, true]);
  equal(
    [0, 1, 2].map((value) => reporter.value(value)),
    ["", "yes", "no"],
  );
  // Memoized noise: the same for equal epochs, as numbers or as BigInts, and different for others.
  const deviceKey = new Uint8Array(32).fill(7);
  const released = async (epoch: number | bigint) =>
    (await bundle.privatizer({ deviceKey, epoch }).privatize("the movie was not bad at all but the plot is")).text;
  equal(await released(5), await released(5n));
  equal((await released(5)) === (await released(2n ** 64n - 1n)), false);
});

test("texts that are refused", async () => {
  const bundle = await open();
  const strict = bundle.privatizer({ oov: "error" });
  equal((await fails("UNKNOWN_WORD", () => strict.privatize(`the 😀 ${SECRET}`))).position, 7);
  equal((await fails("UNKNOWN_WORD", () => strict.privatize(`the ${SECRET}`))).position, 4);
  await fails("INVALID_ARGUMENT", () => strict.privatize(wrong(1)));
  await fails("INVALID_ARGUMENT", () => strict.privatize(wrong(undefined)));
  await fails("INVALID_ARGUMENT", () => bundle.word(1e9));
  await fails("INVALID_ARGUMENT", () => bundle.word(0.5));
  const listed = bundle.reporter({ values: ["yes", "no"] });
  await fails("UNKNOWN_WORD", () => listed.report(SECRET));
  await fails("INVALID_ARGUMENT", () => listed.reportValue(2));
  await fails("INVALID_ARGUMENT", () => listed.reportWord(SECRET));
  equal(bundle.find(SECRET), null);
  equal(
    bundle.tokenize(`the 😀 ${SECRET}`).map(({ utf16Begin }) => utf16Begin),
    [0, 4, 7],
  );
});

/** Everything that a bundle creates, as calls that use it. */
async function usersOf(bundle: Bundle) {
  const privatizer = bundle.privatizer();
  const embedder = bundle.embedder();
  const reporter = bundle.reporter();
  const { weights } = JSON.parse(host.readFile(`${vectors}/classify.json`));
  const classifier = embedder.classifier(decodeURIComponent(weights.replace(/../g, "%$&")));
  return {
    embedder,
    handles: [privatizer, embedder, reporter, classifier],
    classify: () => classifier.classify("the cat"),
    calls: [
      () => privatizer.privatize("the cat"),
      () => embedder.embed("the cat"),
      () => embedder.nearestWords(new Array(embedder.info.dimensions).fill(1)),
      () => reporter.report("the cat"),
    ],
  };
}

test("what is disposed stays so, and takes along what it created", async () => {
  const bundle = await open("embed-64");
  const { handles, calls, classify, embedder } = await usersOf(bundle);
  for (const call of [...calls, classify]) await call();
  embedder.dispose();
  await fails("INVALID_ARGUMENT", classify);
  await calls[0]();
  bundle.dispose();
  bundle.dispose();
  for (const call of [...calls, classify]) await fails("INVALID_ARGUMENT", call);
  for (const call of [() => bundle.privatizer(), () => bundle.find("the"), () => bundle.verify()]) {
    await fails("INVALID_ARGUMENT", call);
  }
  equal(
    [bundle, ...handles].map(({ disposed }) => disposed),
    [true, true, true, true, true],
  );
  equal(bundle.info.words > 0 && embedder.info.directions > 0, true);
});

test("functions outlive the objects of C++", async () => {
  const bundle = await open();
  const { native } = bundle.privatizer();
  const { privatize } = native;
  bundle.native.dispose(); // the privatizer keeps it alive
  equal(privatize("the cat").tokens.length, 2);
  native.dispose();
  await fails("INVALID_ARGUMENT", () => privatize("the cat"));
  await fails("INVALID_ARGUMENT", () => native.info);
});

test("crowds", async () => {
  const bundle = await open("crowds-64");
  const word = bundle.find("movie") ?? -1;
  const crowd = bundle.privatizer({ mechanism: "crowd", crowdSize: "many" }).crowd(word);
  equal(crowd.length > 1, true);
  equal(
    crowd.map(({ probability }) => probability),
    crowd.map(({ probability }) => probability).sort((a, b) => b - a),
  );
  const sum = crowd.reduce((total, { probability }) => total + probability, 0);
  equal(sum > 0.2 && sum <= 1, true);
  // By "one", all of the crowd is the word itself, and every other word is equally likely.
  const one = bundle.privatizer({ mechanism: "crowd", crowdSize: "one" });
  const [{ wordId, probability }, ...others] = one.crowd(word);
  const { crowdProbability, outputWords } = one.info;
  equal([bundle.word(wordId), others.length], [bundle.word(word), 0]);
  close(probability, crowdProbability + (1 - crowdProbability) / outputWords);
  equal(bundle.privatizer({ mechanism: "brr", epsilon: 0.5 }).crowd(word), []);
  await fails("INVALID_ARGUMENT", () => one.crowd(1e6));
  await fails("INVALID_ARGUMENT", () => one.crowd(-1));
});

test("the words nearest to a direction", async () => {
  const bundle = await open("embed-64");
  const embedder = bundle.embedder();
  const { direction } = await embedder.embed("the movie");
  const near = embedder.nearestWords(direction, 5);
  equal(near.length, 5);
  equal(
    near.map(({ word }) => bundle.find(word)),
    near.map(({ wordId }) => wordId),
  );
  equal(
    near.every(({ cosine }, i) => cosine <= 1 && cosine >= -1 && (i === 0 || cosine <= near[i - 1].cosine)),
    true,
  );
  equal(embedder.nearestWords(direction).length, 10);
  const opposite = embedder.nearestWords(
    direction.map((sign) => -sign),
    1,
  );
  equal(opposite[0].wordId === near[0].wordId, false);
  await fails("INVALID_ARGUMENT", () => embedder.nearestWords([1]));
  await fails("INVALID_ARGUMENT", () => embedder.nearestWords(direction, 0));
  await fails("INVALID_ARGUMENT", () => embedder.embedVector([1]));
  await fails("INVALID_ARGUMENT", () => embedder.embedVector(wrong(["1"])));
});

// ---- Budgets

const ledger = (name: string) => `${temporary}/${name}`;

test("a text is spent before it is returned, and one too many is refused", async () => {
  const bundle = await open();
  const { cost } = await bundle.privatizer({ epsilon: 1 }).privatize("the cat");
  const budget = await Budget.open(ledger("texts"), { worstCaseLifetime: 2.5 * cost.worstCase });
  const privatizer = bundle.privatizer({ epsilon: 1, budget });
  await privatizer.privatize("the cat");
  await privatizer.privatize("the cat");
  await fails("BUDGET_EXHAUSTED", () => privatizer.privatize("the cat"));
  const state = await budget.state();
  equal([state.tokensToday, state.tokensLifetime, state.textsLifetime], [4, 4, 0]);
  equal(Math.abs(state.worstCaseLifetime - 2 * cost.worstCase) <= 2e-6, true);
  equal(state.day > 20_000, true);
  // What another one opened has what is left, which is one word, and releases of whole texts count as texts too.
  const same = await Budget.open(`file://${encodeURI(ledger("texts"))}`, { tokensPerDay: 5 });
  const reporter = bundle.reporter({ budget: same, epsilon: 1 });
  await reporter.report("the cat");
  await fails("BUDGET_EXHAUSTED", () => reporter.report("the cat"));
  equal((await budget.state()).textsToday, 1);
  // A privatizer keeps its budget alive.
  budget.dispose();
  await fails("INVALID_ARGUMENT", () => budget.state());
  await fails("BUDGET_EXHAUSTED", () => privatizer.privatize("the cat"));
  await fails("INVALID_ARGUMENT", () => bundle.privatizer({ budget }));
});

test("costs of the app's own", async () => {
  const budget = await Budget.open(ledger("own"), { worstCasePerDay: 1e-6, tokensLifetime: 3 });
  await fails("BUDGET_EXHAUSTED", () => budget.spend(1.1e-6));
  await budget.spend(0.1e-6);
  equal((await budget.state()).worstCaseToday, 1e-6);
  await budget.spendTexts(0, 2);
  await budget.spend(0, 1);
  await fails("BUDGET_EXHAUSTED", () => budget.spend(0, 1));
  const { tokensToday, textsToday } = await budget.state();
  equal([tokensToday, textsToday], [3, 2]);
  await fails("BUDGET_EXHAUSTED", () => budget.spend(Infinity));
  for (const bad of [NaN, -1, wrong("1")]) await fails("INVALID_ARGUMENT", () => budget.spend(bad));
  await fails("INVALID_ARGUMENT", () => budget.spend(0, 0.5));
  await fails("INVALID_ARGUMENT", () => budget.spendTexts(0, -1));
});

test("ledgers that cannot be used", async () => {
  for (const limits of [{ tokensPerDay: 0.5 }, { worstCasePerDay: -1 }, { worstCaseLifetime: NaN }, { cap: 1 }]) {
    await fails("INVALID_ARGUMENT", () => Budget.open(ledger("bad"), wrong(limits)));
  }
  await fails("STORAGE_FAILED", () => Budget.open("/no/such/folder/budget"));
  const budget = await Budget.open(ledger("damaged"));
  const bundle = await open();
  const privatizer = bundle.privatizer({ budget });
  await privatizer.privatize("the cat");
  const bytes = "x".repeat(64);
  host.writeFile(ledger("damaged"), bytes);
  await fails("CORRUPT_BUDGET", () => privatizer.privatize("the cat"));
  await fails("INVALID_ARGUMENT", () => Budget.reset(ledger("damaged"))); // clearly no ledger
});

test("a ledger begins anew", async () => {
  const budget = await Budget.open(ledger("again"));
  await budget.spend(1, 1);
  await Budget.reset(ledger("again"));
  equal((await budget.state()).tokensLifetime, 0);
});

test("an audit log has a line for each release, and no text", async () => {
  const bundle = await open();
  const auditLog = ledger("log");
  const privatizer = bundle.privatizer({ auditLog });
  const { cost } = await privatizer.privatize(`the cat ${SECRET}`);
  await bundle.reporter({ auditLog }).report("the cat");
  const lines = host.readFile(auditLog).trim().split("\n");
  equal(lines.length, 2);
  equal(JSON.parse(lines[0]).words, cost.words);
  equal(/xyzzy|cat/.test(lines.join()), false);
});
