// Compiled against the packed package without the types of browsers: lib is ES2022 alone.

import { type Bundle, HushbitError, type PrivatizerOptions, load } from "hushbit";

export async function privatize(text: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const options: PrivatizerOptions = { mechanism: "crowd" };
  const bundle: Bundle = await load(bytes, { onProgress: ({ received, total }) => received === total });
  try {
    return (await bundle.privatizer(options).privatize(text)).text;
  } catch (error) {
    if (error instanceof HushbitError && error.status === "OUT_OF_MEMORY") return "";
    throw error;
  } finally {
    bundle.dispose();
  }
}

// @ts-expect-error a number is no source
void load(1);
