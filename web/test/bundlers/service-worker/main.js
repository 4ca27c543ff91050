navigator.serviceWorker.addEventListener("message", ({ data }) => document.body.append(data));
await navigator.serviceWorker.register("./sw.js", { type: "module" });
const { active } = await navigator.serviceWorker.ready;
active.postMessage("meet me at the station");
