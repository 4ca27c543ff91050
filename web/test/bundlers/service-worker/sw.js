import { load } from "hushbit";

addEventListener("install", () => skipWaiting());

let bundle;
addEventListener("message", (event) => {
  bundle ??= load();
  const answer = async () => {
    const { text } = await (await bundle).privatizer().privatize(event.data);
    event.source.postMessage(text);
  };
  event.waitUntil(answer());
});
