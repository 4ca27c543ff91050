import { load, loadInWorker } from "hushbit";

const bundle = await load();
const { text } = await bundle.privatizer().privatize("meet me at the station");

const remote = await loadInWorker(); // long texts do not block the page
const privatizer = await remote.privatizer();
const { text: long } = await privatizer.privatize("meet me at the station");

document.body.append(text, document.createElement("br"), long);
