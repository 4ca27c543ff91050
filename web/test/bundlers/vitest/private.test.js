import { load } from "hushbit";
import { expect, test } from "vitest";

test("five words come out", async () => {
  const bundle = await load();
  const { text } = await bundle.privatizer().privatize("meet me at the station");
  expect(text.split(" ")).toHaveLength(5);
});
