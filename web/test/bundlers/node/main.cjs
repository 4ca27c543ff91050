const { load } = require("hushbit");

load().then(async (bundle) => {
  const { text } = await bundle.privatizer().privatize("meet me at the station");
  console.log(text);
});
