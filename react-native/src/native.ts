// The objects of the C++ module (cpp/), whose functions return at once and throw. JavaScript gets plain values from
// them; an integer of 64 bits is a string of decimal digits there.

import { type TurboModule, TurboModuleRegistry } from "react-native";
import type * as types from "./types";

/** The options of a type as they cross to C++. */
type Crossing<Options> = Omit<Options, "epoch" | "budget"> & { epoch?: number | string; budget?: unknown };
/** The promises of a type as they come from C++. */
type Crossed<Info> = { [Name in keyof Info]: Info[Name] extends bigint ? string : Info[Name] };

export interface NativeHandle {
  dispose(): void;
}

export interface NativeBudget extends NativeHandle {
  spend(worstCase: number, tokens: number): void;
  spendTexts(worstCase: number, texts: number): void;
  state(): types.BudgetState;
}

export interface NativePrivatizer extends NativeHandle {
  readonly info: Crossed<types.PrivatizerInfo>;
  privatize(text: string): types.PrivatizedText;
  crowd(word: number): { wordId: number; share: number; weight: number }[];
}

type NativeEmbedding = Omit<types.Embedding, "direction"> & { direction: number[] };

export interface NativeEmbedder extends NativeHandle {
  readonly info: Crossed<types.EmbedderInfo>;
  embed(text: string): NativeEmbedding;
  embedVector(vector: number[]): NativeEmbedding;
  nearestWords(direction: number[], count: number): Omit<types.NearWord, "word">[];
  classifier(weights: string): NativeClassifier;
}

type NativeClassified = { best: number; logOdds: number[] };

export interface NativeClassifier extends NativeHandle {
  /** The names of the classes. */
  readonly info: string[];
  classify(text: string): NativeClassified;
  classifyVector(vector: number[]): NativeClassified;
}

export interface NativeReporter extends NativeHandle {
  readonly info: Crossed<types.ReporterInfo>;
  report(text: string): types.Report;
  reportValue(value: number): types.Report;
  reportWord(word: string): types.Report;
  value(value: number): string;
}

export interface NativeBundle extends NativeHandle {
  readonly info: types.BundleInfo;
  privatizer(options: Crossing<types.PrivatizerOptions>): NativePrivatizer;
  embedder(options: Crossing<types.EmbedderOptions>): NativeEmbedder;
  reporter(options: Crossing<types.ReporterOptions>): NativeReporter;
  meta(): string;
  tokenize(text: string): types.Token[];
  find(word: string): number | null;
  word(id: number): string;
  verify(): void;
}

interface NativeModule extends TurboModule {
  openBundle(path: string): NativeBundle;
  openProjection(file: Uint8Array, options: Crossing<types.EmbedderOptions>): NativeEmbedder;
  openBudget(path: string, limits: types.BudgetLimits): NativeBudget;
  resetBudget(path: string): void;
}

/** Throws if the app was built without the module, as Expo Go is. */
export const native = () => TurboModuleRegistry.getEnforcing<NativeModule>("Hushbit");

/** Promises with BigInts, where C++ has strings. */
export function promises<Info extends object>(crossed: Crossed<Info>): Info {
  const integers = ["flipThreshold", "crowdThreshold", "threshold", "seed"];
  const entries = Object.entries(crossed as Record<string, unknown>);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, integers.includes(name) ? BigInt(value as string) : value]),
  ) as Info;
}
