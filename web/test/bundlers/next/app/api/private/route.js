import { load } from "hushbit";

const bundle = load();

export async function POST(request) {
  const { text } = await (await bundle).privatizer().privatize(await request.text());
  return new Response(text);
}
