import { defineConfig } from "vite";

export default defineConfig({
  optimizeDeps: { exclude: ["hushbit"] },
  worker: { format: "es" },
});
