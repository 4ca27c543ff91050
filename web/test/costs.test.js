// Sums of costs are exact.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sumOfCosts } from "../src/costs.js";

test("numbers of millionths add up to what they are", () => {
  assert.equal([18.1, 18.1, 17.8].reduce(sumOfCosts), 54);
  assert.equal(Array.from({ length: 10 }, () => 0.1).reduce(sumOfCosts), 1);
  assert.equal([0.000001, 0.000002].reduce(sumOfCosts), 0.000003);
  assert.equal([1, Infinity].reduce(sumOfCosts), Infinity);
});
