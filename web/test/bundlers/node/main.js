import { load } from "hushbit";

const bundle = await load();
const { text } = await bundle.privatizer().privatize("meet me at the station");
console.log(text);
