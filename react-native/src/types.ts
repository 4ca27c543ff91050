// What goes into the module and comes out of it: plain objects, with the names of the web package.

import type { Budget } from "./budget";

export type Mechanism = "brr" | "tem" | "crowd";
export type CrowdSize = "one" | "few" | "many";
export type OovPolicy = "random" | "drop" | "mask" | "error" | "verbatim-unsafe";
export type PunctuationPolicy = "drop" | "privatize";

/** What reports are about: output words, emoji, words that the bundle lacks, or a list of your own. */
export type Values = "words" | "emoji" | "new-words" | readonly string[];

/** The kind of a failure. */
export type Status =
  | "INVALID_ARGUMENT"
  | "FILE_NOT_FOUND"
  | "READ_FAILED"
  | "CORRUPT_BUNDLE"
  | "UNSUPPORTED_BUNDLE"
  | "OUT_OF_MEMORY"
  | "RANDOMNESS_FAILED"
  | "INVALID_TEXT"
  | "UNKNOWN_WORD"
  | "BUDGET_EXHAUSTED"
  | "CORRUPT_BUDGET"
  | "UNSUPPORTED_BUDGET"
  | "STORAGE_FAILED";

/** The error of every function. Its message never contains text that was passed in to be privatized. */
export interface HushbitError extends Error {
  readonly name: "HushbitError";
  readonly status: Status;
  /** The UTF-16 index of a token, or a byte of the bundle; otherwise 0. */
  readonly position: number;
}

/** What privatizers, embedders and reporters share. Every option that is not given has a default. */
export interface Shared {
  /** (default: "drop") */
  punctuation?: PunctuationPolicy;
  /**
   * 32 secret bytes of this device, for memoized noise: what is typed again within an epoch gets the same noise. They
   * are copied. Anyone who has the key can undo the noise.
   */
  deviceKey?: Uint8Array;
  /** With a device key: 0 to 2^64 - 1; a different number gives different noise (default: 0). */
  epoch?: number | bigint;
  /** Where the cost of every release is spent before it is returned. */
  budget?: Budget;
  /** The path of a file to which every release appends a line of JSON: counts, cost and hash, never text. */
  auditLog?: string;
}

/** Every option that is not given has the bundle's default. */
export interface PrivatizerOptions extends Shared {
  mechanism?: Mechanism;
  /** Finite, 0 or more; per word for "crowd", per differing bit for "brr" and "tem". */
  epsilon?: number;
  /** For "crowd": how many near words a word may become. */
  crowdSize?: CrowdSize;
  /** For "tem": the probability of a word beyond the truncation distance, strictly between 0 and 1 (default: 0.001). */
  beta?: number;
  /** How to treat a token outside the vocabulary (default: "random"); "verbatim-unsafe" has NO privacy. */
  oov?: OovPolicy;
  /** For the policy "mask": 1 to 64 bytes in UTF-8 (default: "[unk]"). */
  mask?: string;
  /** Use an epsilon that leaves more than about half of the words as they were typed (default: false). */
  allowUnchanged?: boolean;
}

export interface EmbedderOptions extends Shared {
  /** The epsilon of a whole text: finite, 0 or more (default: 2). */
  epsilon?: number;
}

export interface ReporterOptions extends Shared {
  /** A list has 2 to 2^24 values (default: "words"). */
  values?: Values;
  /** The epsilon of a whole text: 0.01 to 16 (default: 2). */
  epsilon?: number;
  /** For emoji: whether emoji with skin tones are values of their own (default: false). */
  skinTones?: boolean;
  /** For a list: whether there is a value for texts that are not on it (default: false). */
  none?: boolean;
  /** For words: a public list of words that are never reported (default: none). */
  passOver?: readonly string[];
}

/** A limit that is not given means no cap. */
export interface BudgetLimits {
  /** In units of `cost.worstCase`, 0 or more; days are days in UTC. */
  worstCasePerDay?: number;
  worstCaseLifetime?: number;
  /** 0 or more released tokens with a replacement; a release of a whole text counts as one. */
  tokensPerDay?: number;
  tokensLifetime?: number;
}

/** What was spent. */
export interface BudgetState {
  /** Days since 1970-01-01 UTC; never goes back. */
  day: number;
  worstCaseToday: number;
  worstCaseLifetime: number;
  tokensToday: number;
  tokensLifetime: number;
  /** Releases of whole texts (embeddings, reports), each of which is a token too. */
  textsToday: number;
  textsLifetime: number;
}

/** The contents of a bundle's header. */
export interface BundleInfo {
  formatVersion: string;
  /** The number of bits of a code. */
  bits: number;
  words: number;
  outputWords: number;
  publicWords: number;
  maxWordBytes: number;
  /** An upper bound in bits on the distance between any two codes. */
  maxDistance: number;
  averageDistance: number;
  defaultMechanism: Mechanism;
  defaultEpsilon: number;
  defaultEpsilonUnit: "bit" | "word";
  /** For "brr", and for "tem"; 0 if there is none. */
  defaultEpsilonBrr: number;
  defaultEpsilonTem: number;
  /** Present if the default mechanism is "crowd". */
  defaultCrowdSize: CrowdSize | undefined;
  /** "major.minor.update", of the tokenizer for which the vocabulary was built. */
  unicodeVersion: string;
  fileBytes: number;
  /** Hexadecimal; identifies the bundle. */
  hash: string;
}

/** The promises of a privatizer. */
export interface PrivatizerInfo {
  mechanism: Mechanism;
  requestedEpsilon: number;
  /** The epsilon that actually holds: never above the requested one. */
  effectiveEpsilon: number;
  epsilonUnit: "bit" | "word";
  averagePerToken: number;
  /** The local-DP epsilon of one token. */
  worstCasePerToken: number;
  clamped: boolean;
  memoized: boolean;
  flipThreshold: bigint;
  flipProbability: number;
  gamma: number;
  crowdSize: CrowdSize | undefined;
  crowdProbability: number;
  crowdThreshold: bigint;
  crowdMass: number;
  outputMass: number;
  meanCrowd: number;
  outputWords: number;
  publicWords: number;
}

/** A word of a crowd. */
export interface CrowdMember {
  wordId: number;
  /** The total probability of this word. */
  probability: number;
}

/** The promises of an embedder. */
export interface EmbedderInfo {
  requestedEpsilon: number;
  /** The epsilon of a whole text. */
  effectiveEpsilon: number;
  clamped: boolean;
  memoized: boolean;
  dimensions: number;
  directions: number;
  crowdDirections: number;
  crowdThreshold: bigint;
  crowdProbability: number;
  seed: bigint;
  /** The length of a vector for `embedVector`; 0 if it embeds texts. */
  inputNumbers: number;
  /** Hexadecimal; identifies the bundle, or the projection. */
  hash: string;
}

/** The promises of a reporter, and what counting needs. */
export interface ReporterInfo {
  requestedEpsilon: number;
  /** The epsilon of a whole text. */
  effectiveEpsilon: number;
  memoized: boolean;
  valueCount: number;
  hasNone: boolean;
  reports: number;
  threshold: bigint;
  probability: number;
  hash: string;
}

/** A token of the text as typed. It is for the app's own use and must not be sent. Offsets count UTF-16 units. */
export interface Token {
  kind: "word" | "unknown" | "punctuation";
  wordId: number | null;
  utf16Begin: number;
  utf16End: number;
  /** Where its replacement begins in the released text. */
  outputBegin: number;
  /** Equal to `outputBegin` if it was left out. */
  outputEnd: number;
}

/** The cost of a release. */
export interface Cost {
  epsilon: number;
  epsilonUnit: "bit" | "word";
  average: number;
  /** The local-DP epsilon of the text. */
  worstCase: number;
  words: number;
  unknown: number;
  dropped: number;
  verbatim: number;
  publicWords: number;
}

/** A text made private. Only `text` may leave the device. */
export interface PrivatizedText {
  text: string;
  tokens: Token[];
  cost: Cost;
}

/** What may be sent of a whole text. */
export interface Embedding {
  index: number;
  /** Each 1 or -1. */
  direction: Int8Array;
  epsilon: number;
}

/** An output word near to a direction, for people to look at. */
export interface NearWord {
  wordId: number;
  word: string;
  /** -1 to 1. */
  cosine: number;
}

/** What a classifier says of a text. That tells much about it: it is for the app's own use, and must not be sent. */
export interface Classified {
  /** The most likely class. */
  name: string;
  /** Of all classes, in the order of `Classifier.classes`. */
  probabilities: number[];
}

/** What may be sent of a whole text, as JSON. */
export interface Report {
  report: number;
  /** 16 hexadecimal digits that identify the values. */
  values: string;
  epsilon: number;
  version: 1;
}
