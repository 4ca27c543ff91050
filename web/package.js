// Completes the package in a directory: its package.json, with the version of the core, the address of the project, and
// without what only builds it. web/build runs it.

import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";

const [, , directory] = process.argv;
const here = new URL("./", import.meta.url);
const read = (/** @type {string} */ path) => readFileSync(new URL(path, here), "utf8");

const { devDependencies: _, prettier: __, ...description } = JSON.parse(read("package.json"));
description.version = read("../native/include/hushbit/hushbit.h").match(/^#define HUSHBIT_VERSION "(.+)"$/m)?.[1];
const address = read("../pyproject.toml").match(/^Repository = "(.+)"$/m)?.[1];
description.repository = { type: "git", url: `git+${address}.git` };
description.homepage = `${address}#readme`;
description.bugs = { url: `${address}/issues` };
writeFileSync(`${directory}/package.json`, `${JSON.stringify(description, null, 2)}\n`);

// Declarations that comments in JavaScript cannot make.
for (const [of, also] of Object.entries({ index: "platform", share: "share_element" })) {
  copyFileSync(new URL(`src/${also}.d.ts`, here), `${directory}/${also}.d.ts`);
  appendFileSync(`${directory}/${of}.d.ts`, `import "./${also}.js";\n`);
}
