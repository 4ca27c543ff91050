import { cpSync } from "node:fs";
import resolve from "@rollup/plugin-node-resolve";

export default {
  input: { main: "main.js", worker: "hushbit/worker" },
  output: { dir: "dist" },
  plugins: [resolve()],
};

for (const file of ["hushbit.wasm", "english.hushbit"]) {
  cpSync(new URL(import.meta.resolve(`hushbit/${file}`)), `dist/${file}`);
}
