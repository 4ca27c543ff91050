// Loads the package and its tests, compiled to CommonJS, and runs them one after another. It counts as `node --test`
// does. `host` and `hushbit` come from engine.cpp.

const modules = new Map([["react-native", { TurboModuleRegistry: { getEnforcing: () => hushbit } }]]);

/** The `require` of the modules in a folder. */
function requireIn(folder) {
  return (/** @type {string} */ name) => {
    const path = name.replace(/^\.\.\//, "").replace(/^\.\//, `${folder}/`);
    let exports = modules.get(path);
    if (exports === undefined) {
      exports = {};
      modules.set(path, exports);
      const source = `${host.readFile(`${host.scripts}/${path}.js`)}\n//# sourceURL=${path}.js`;
      new Function("exports", "require", source)(exports, requireIn(path.replace(/\/.*/, "")));
    }
    return exports;
  };
}

async function run() {
  const require = requireIn("test");
  for (const file of ["vectors.test", "package.test"]) require(`./${file}`);
  const { tests } = require("./harness");
  let passed = 0;
  for (const { name, body } of tests) {
    host.setRandomness("", "");
    try {
      await body();
      host.print(`ok ${++passed} - ${name}`);
    } catch (error) {
      host.print(`not ok - ${name}: ${error}\n${error.stack}`);
    }
  }
  host.print(`# pass ${passed}`);
  globalThis.forgotten = hushbit.openBundle(`${host.vectors}/words-64.hushbit`);
  globalThis.failed = passed === 0 ? 1 : tests.length - passed;
}

run().catch((error) => host.print(`${error}\n${error.stack}`));
