// Hushbit makes text private on the phone, before it leaves the device. See docs/react-native.md.

import type { HushbitError } from "./types";

export { Budget } from "./budget";
export { Bundle, Privatizer, Reporter, load, openProjection } from "./bundle";
export { Classifier, Embedder } from "./embedder";
export type * from "./types";

/** Whether a failure is Hushbit's, which has a `status`. */
export function isHushbitError(error: unknown): error is HushbitError {
  return error instanceof Error && error.name === "HushbitError";
}
