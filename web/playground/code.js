// The code that does what the page shows, in four languages.

/**
 * @typedef {object} Settings
 * @property {number} text the epsilon of a whole text
 * @property {string} mechanism of released words
 * @property {number} word their epsilon, in the unit of the mechanism
 * @property {boolean} usual whether mechanism and epsilon are those that the bundle has
 * @property {boolean} refused whether the library asks for `allowUnchanged`
 */

export const LANGUAGES = /** @type {const} */ ({
  python: "Python",
  javascript: "JavaScript",
  kotlin: "Kotlin",
  swift: "Swift",
});

const decimal = (/** @type {number} */ value) => (Number.isInteger(value) ? value.toFixed(1) : String(value));

/** @type {Record<keyof typeof LANGUAGES, (settings: Settings) => string>} */
const WRITTEN = {
  python: ({ text, mechanism, word, usual, refused }) => {
    const options = usual ? "" : `"${mechanism}", epsilon=${word}${refused ? ", allow_unchanged=True" : ""}`;
    return `import hushbit

bundle = hushbit.open()

# What a whole text is about: one number, at one epsilon for the text.
direction = bundle.embedder(epsilon=${text}).embed(text).index

# How frequent an answer is: one report.
reporter = bundle.reporter(["refund", "delivery", "login"], epsilon=${text})
report = reporter.report("refund").to_json()

# If you need text: every word replaced, at an epsilon for each word.
words = bundle.privatizer(${options}).privatize(text).text`;
  },

  javascript: ({ text, mechanism, word, usual, refused }) => {
    const options = usual
      ? ""
      : `{ mechanism: "${mechanism}", epsilon: ${word}${refused ? ", allowUnchanged: true" : ""} }`;
    return `import { load } from "hushbit";

const bundle = await load();

// What a whole text is about: one number, at one epsilon for the text.
const { index } = await bundle.embedder({ epsilon: ${text} }).embed(text);

// How frequent an answer is: one report.
const reporter = bundle.reporter({ values: ["refund", "delivery", "login"], epsilon: ${text} });
const report = JSON.stringify(await reporter.report("refund"));

// If you need text: every word replaced, at an epsilon for each word.
const words = (await bundle.privatizer(${options}).privatize(text)).text;`;
  },

  kotlin: ({ text, mechanism, word, usual, refused }) => {
    const more = refused ? ", allowUnchanged = true" : "";
    const options = usual ? "" : `PrivatizerOptions(Mechanism.${mechanism.toUpperCase()}, ${decimal(word)}${more})`;
    return `import dev.hushbit.*

val bundle = Hushbit.open()

// What a whole text is about: one number, at one epsilon for the text.
val direction = bundle.embedder(EmbedderOptions(epsilon = ${decimal(text)})).embed(text).index

// How frequent an answer is: one report.
val answers = Values.Listed(listOf("refund", "delivery", "login"))
val report = bundle.reporter(ReporterOptions(answers, epsilon = ${decimal(text)})).report("refund").toJson()

// If you need text: every word replaced, at an epsilon for each word.
val words = bundle.privatizer(${options}).privatize(text).text`;
  },

  swift: ({ text, mechanism, word, usual, refused }) => {
    const options = usual
      ? ""
      : `, configuration: .init(mechanism: .${mechanism}, epsilon: ${word}${refused ? ", allowUnchanged: true" : ""})`;
    return `import Hushbit
import HushbitEnglish

let bundle = try HushbitBundle()

// What a whole text is about: one number, at one epsilon for the text.
let direction = try Embedder(bundle: bundle, options: EmbedderOptions(epsilon: ${text})).embed(text).index

// How frequent an answer is: one report.
let options = ReporterOptions(values: .list(["refund", "delivery", "login"]), epsilon: ${text})
let report = try Reporter(bundle: bundle, options: options).report("refund").json

// If you need text: every word replaced, at an epsilon for each word.
let words = try Privatizer(bundle: bundle${options}).privatize(text).text`;
  },
};

/**
 * @param {keyof typeof LANGUAGES} language
 * @param {Settings} settings
 */
export const codeFor = (language, settings) => WRITTEN[language](settings);
