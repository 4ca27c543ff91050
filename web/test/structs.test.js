// What JavaScript believes of the C interface, compared with its header.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { STATUSES } from "../src/errors.js";
import * as structs from "../src/layouts.js";
import { exportedNames, module } from "./support.js";

const header = ["types.h", "reports.h", "analysis.h"]
  .map((name) => readFileSync(new URL(`../../native/include/hushbit/${name}`, import.meta.url), "utf8"))
  .join("")
  .replace(/\/\/.*/g, "");
const exportsWanted = readFileSync(new URL("../core/exports.txt", import.meta.url), "utf8")
  .trim()
  .split("\n");

/** @type {Record<string, string[]>} */
const TYPES = {
  uint64_t: ["u64", "threshold"],
  double: ["f64"],
  uint32_t: ["u32"],
  int32_t: ["i32"],
  size_t: ["pointer"],
  hushbit_token_kind: ["u32"],
};

/** The fields of a struct in order, with what they may be. @param {string} name @returns {[string, string[]][]} */
function fieldsOf(name) {
  const body =
    header.match(new RegExp(`typedef struct ${name} \\{([^}]*)\\}`))?.[1] ?? assert.fail(`no struct ${name}`);
  return body
    .split(";")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .flatMap((line) => {
      const [, type, names] = /^((?:const )?\w+\*?)\s+(.*)$/s.exec(line) ?? assert.fail(line);
      return names.split(",").map((each) => {
        const field = each.trim();
        if (field.endsWith("[32]")) return /** @type {[string, string[]]} */ ([field.slice(0, -4), ["hash"]]);
        if (field.endsWith("[8]")) return /** @type {[string, string[]]} */ ([field.slice(0, -3), ["hash8"]]);
        return /** @type {[string, string[]]} */ ([field, type.endsWith("*") ? ["pointer"] : TYPES[type]]);
      });
    });
}

for (const [name, struct] of Object.entries(structs)) {
  test(`hushbit_${name.toLowerCase()}`, () => {
    const wanted = fieldsOf(`hushbit_${name.toLowerCase()}`);
    assert.deepEqual(
      Object.keys(struct.fields),
      wanted.map(([field]) => field),
    );
    wanted.forEach(([field, types]) => assert.ok(types.includes(Reflect.get(struct.fields, field)), field));
  });
}

test("status names are those of the header", () => {
  const body = header.match(/typedef enum hushbit_status \{([^}]*)\}/)?.[1] ?? "";
  const names = [...body.matchAll(/HUSHBIT_(\w+) = (\d+)/g)];
  assert.deepEqual(
    names.map(([, name]) => name),
    STATUSES,
  );
  names.forEach(([, , number], i) => assert.equal(Number(number), i));
});

test("the module exports what it must, and nothing that seeds its randomness", () => {
  const own = ["memory", "__indirect_function_table", "_initialize", "__errno_location"];
  const names = exportedNames.filter((name) => !own.includes(name) && !/^stack/.test(name));
  assert.deepEqual(names.sort(), exportsWanted);
  assert.deepEqual(
    names.filter((name) => name.includes("testing")),
    [],
  );
});

test("the module imports randomness, and nothing else that matters", () => {
  const names = WebAssembly.Module.imports(module)
    .map(({ name }) => name)
    .sort();
  assert.deepEqual(names, ["clock_time_get", "emscripten_notify_memory_growth", "hushbit_random"]);
});
