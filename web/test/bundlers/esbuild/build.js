import { cpSync } from "node:fs";
import { build } from "esbuild";

await build({
  entryPoints: { main: "main.js", worker: "hushbit/worker" },
  bundle: true,
  splitting: true,
  format: "esm",
  outdir: "dist",
});
for (const file of ["hushbit.wasm", "english.hushbit"]) {
  cpSync(new URL(import.meta.resolve(`hushbit/${file}`)), `dist/${file}`);
}
