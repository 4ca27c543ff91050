// The objects of the C++ module (cpp/), whose functions return at once and throw.

import { type TurboModule, TurboModuleRegistry } from "react-native";
import type * as types from "./types";

export interface NativeHandle<Info> {
  readonly info: Info;
  dispose(): void;
}

export interface NativePrivatizer extends NativeHandle<types.PrivatizerInfo> {
  privatize(text: string): types.PrivatizedText;
}

export interface NativeEmbedder extends NativeHandle<types.EmbedderInfo> {
  embed(text: string): Omit<types.Embedding, "direction"> & { direction: number[] };
}

export interface NativeReporter extends NativeHandle<types.ReporterInfo> {
  report(text: string): types.Report;
  reportValue(value: number): types.Report;
  reportWord(word: string): types.Report;
  value(value: number): string;
}

export interface NativeBundle extends NativeHandle<types.BundleInfo> {
  privatizer(options?: types.PrivatizerOptions): NativePrivatizer;
  embedder(options?: types.EmbedderOptions): NativeEmbedder;
  reporter(options?: types.ReporterOptions): NativeReporter;
  tokenize(text: string): types.Token[];
  find(word: string): number | null;
  word(id: number): string;
  verify(): void;
}

interface NativeModule extends TurboModule {
  openBundle(path: string): NativeBundle;
}

/** Throws if the app was built without the module, as Expo Go is. */
export const native = () => TurboModuleRegistry.getEnforcing<NativeModule>("Hushbit");
