// The crowds that a privatizer shows.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HushbitError } from "../src/errors.js";
import { openGiven } from "./support.js";

const { bundle } = await openGiven("crowds-64.hushbit");

test("a crowd is as likely as its privatizer says, and more likely than chance", () => {
  for (const crowdSize of /** @type {const} */ (["one", "few", "many"])) {
    const privatizer = bundle.privatizer({ mechanism: "crowd", epsilon: 3, crowdSize });
    const { crowdProbability, outputWords } = privatizer.info;
    for (let word = 0; word < bundle.info.words; word += 37) {
      const members = privatizer.crowd(word);
      const sum = members.reduce((total, { probability }) => total + probability, 0);
      assert.ok(sum >= crowdProbability && sum <= 1 + 1e-12, `${crowdSize} ${word}: ${sum}`);
      assert.equal(new Set(members.map(({ wordId }) => wordId)).size, members.length);
      members.forEach(({ probability }, i) => assert.ok(i === 0 || probability <= members[i - 1].probability));
      if (crowdSize === "one") {
        assert.equal(members.length, 1);
        assert.ok(Math.abs(sum - (crowdProbability + (1 - crowdProbability) / outputWords)) < 1e-12);
      }
    }
  }
});

test("other mechanisms have no crowds, and no word is beyond the vocabulary", () => {
  assert.deepEqual(bundle.privatizer({ mechanism: "brr", epsilon: 0.5 }).crowd(0), []);
  const privatizer = bundle.privatizer({ mechanism: "crowd", epsilon: 3 });
  assert.throws(
    () => privatizer.crowd(bundle.info.words),
    (error) => {
      return error instanceof HushbitError && error.status === "INVALID_ARGUMENT";
    },
  );
});
