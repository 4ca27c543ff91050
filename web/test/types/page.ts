// Compiled against the packed package with the types of browsers.

import { loadInWorker } from "hushbit";
import "hushbit/share";

const share = document.querySelector("hushbit-share");
share?.addEventListener("hushbit-release", ({ detail }) => {
  const text: string = detail.text;
  const drawn: number = detail.drawn;
  // @ts-expect-error the event has no such detail
  void [text, drawn, detail.tokens];
});
const worker = new Worker(new URL("./worker.js", document.baseURI), { type: "module" });
const bundle = await loadInWorker(await fetch("words.hushbit"), { worker, cache: "words 1" });
if (share !== null) share.privatizer = await bundle.privatizer();
// @ts-expect-error a number is no worker
void loadInWorker(undefined, { worker: 1 });

export {};
