import { cpSync } from "node:fs";
import { build } from "esbuild";

await build({ entryPoints: ["main.js", "sw.js"], bundle: true, format: "esm", outdir: "dist" });
for (const file of ["hushbit.wasm", "english.hushbit"]) {
  cpSync(new URL(import.meta.resolve(`hushbit/${file}`)), `dist/${file}`);
}
