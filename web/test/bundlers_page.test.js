// docs/bundlers.md prints the projects that tools/test bundlers builds and runs, and nothing that it does not.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { test } from "node:test";

const PROJECTS = new URL("./bundlers/", import.meta.url);
const page = readFileSync(new URL("../../docs/bundlers.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/^`([^`\n]+)`\n\n```\w+\n(.*?)^```$/gms)].map(([, name, code]) => ({ name, code }));
/** Parts of projects that every project of the kind has. */
const NOT_PRINTED = ["next/app/layout.jsx"];

const files = readdirSync(PROJECTS, { recursive: true })
  .map((file) => String(file))
  .filter((file) => file.includes("/") && statSync(new URL(file, PROJECTS)).isFile());
const contents = new Map(files.map((file) => [file, readFileSync(new URL(file, PROJECTS), "utf8")]));

test("every block of code is a file of a project", () => {
  assert.equal(blocks.length, [...page.matchAll(/^```\w/gm)].length, "a block has no name");
  for (const { name, code } of blocks) {
    const same = files.filter((file) => file.endsWith(`/${name}`) && contents.get(file) === code);
    assert.notEqual(same.length, 0, `${name} is not the file of a project:\n${code}`);
  }
});

test("every file of a project is on the page", () => {
  const missing = files.filter(
    (file) => !blocks.some(({ name, code }) => file.endsWith(`/${name}`) && code === contents.get(file)),
  );
  assert.deepEqual(missing, NOT_PRINTED);
});

test("the versions of the page are those that are installed", () => {
  const { dependencies } = JSON.parse(readFileSync(new URL("package.json", PROJECTS), "utf8"));
  for (const [name, version] of Object.entries(dependencies)) {
    if (["react", "react-dom", "@rollup/plugin-node-resolve"].includes(name)) continue;
    assert.ok(page.includes(version.split("@").at(-1)), `${name} ${version}`);
  }
});
