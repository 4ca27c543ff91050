import { load } from "hushbit";
import english from "hushbit/english.hushbit";
import wasm from "hushbit/hushbit.wasm";

export default {
  async fetch(request) {
    const bundle = await load(english, { wasm });
    const { text } = await bundle.privatizer().privatize(await request.text());
    return new Response(text);
  },
};
