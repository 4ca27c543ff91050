// The config plugin and the autolinking, on an app of Expo's template, with Expo's and React Native's own code.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const PACKAGE = new URL("../../build/react-native/package/", import.meta.url).pathname;
const require = createRequire(PACKAGE);
const { compileModsAsync } = require("@expo/config-plugins");
const { dependencyConfig } = require("@react-native-community/cli-config-android");
const withEnglishWords = require("./app.plugin.js");

const app = mkdtempSync(join(tmpdir(), "hushbit-app-"));
after(() => rmSync(app, { recursive: true }));
cpSync(join(PACKAGE, "../node_modules/expo-template-bare-minimum"), app, { recursive: true });

/** What `expo prebuild` does with the plugin. */
async function prebuild() {
  const config = { name: "HelloWorld", slug: "helloworld", android: { package: "com.helloworld" } };
  config.ios = { bundleIdentifier: "com.helloworld" };
  await compileModsAsync(withEnglishWords(config), { projectRoot: app, platforms: ["android", "ios"] });
}

test("the words are an asset of Android and a resource of iOS, once", async () => {
  await prebuild();
  await prebuild();
  for (const file of ["english.hushbit", "LICENSE-PDDL.txt"]) {
    const wanted = readFileSync(join(PACKAGE, "words", file));
    assert.ok(wanted.equals(readFileSync(join(app, "android/app/src/main/assets", file))), `${file} on Android`);
    assert.ok(wanted.equals(readFileSync(join(app, "ios/HelloWorld", file))), `${file} on iOS`);
  }
  const project = readFileSync(join(app, "ios/HelloWorld.xcodeproj/project.pbxproj"), "utf8");
  const resources = /isa = PBXResourcesBuildPhase;.*?files = \((.*?)\);/s.exec(project)?.[1] ?? "";
  assert.equal(resources.match(/english\.hushbit in Resources/g)?.length, 1);
  assert.equal(resources.match(/LICENSE-PDDL\.txt in Resources/g)?.length, 1);
});

test("autolinking finds the module on Android", () => {
  const { android } = require("./react-native.config.js").dependency.platforms;
  const found = dependencyConfig(PACKAGE, android);
  assert.equal(found.isPureCxxDependency, true);
  assert.match(readFileSync(found.cxxModuleCMakeListsPath, "utf8"), /add_library\(hushbit_react_native STATIC/);
  assert.equal(found.cxxModuleCMakeListsModuleName, "hushbit_react_native");
  readFileSync(join(PACKAGE, "cpp", `${found.cxxModuleHeaderName}.h`));
});
