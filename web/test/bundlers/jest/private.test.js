import { expect, test } from "@jest/globals";
import { load } from "hushbit";

test("five words come out", async () => {
  const bundle = await load();
  const { text } = await bundle.privatizer().privatize("meet me at the station");
  expect(text.split(" ")).toHaveLength(5);
});
