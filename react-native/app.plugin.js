// An Expo config plugin that puts the built-in English words into the app: an asset on Android, a resource on iOS.
// `loadEnglish` of hushbit-react-native/english finds them there.

const { copyFileSync, mkdirSync } = require("node:fs");
const { join } = require("node:path");
const { IOSConfig, createRunOncePlugin, withDangerousMod, withXcodeProject } = require("expo/config-plugins");

const FILES = ["english.hushbit", "LICENSE-PDDL.txt"];

/** @param {string} folder */
function copyWords(folder) {
  mkdirSync(folder, { recursive: true });
  for (const file of FILES) copyFileSync(join(__dirname, "words", file), join(folder, file));
}

/** @type {import("expo/config-plugins").ConfigPlugin} */
const withAsset = (config) =>
  withDangerousMod(config, [
    "android",
    (config) => {
      copyWords(join(config.modRequest.platformProjectRoot, "app", "src", "main", "assets"));
      return config;
    },
  ]);

/** @type {import("expo/config-plugins").ConfigPlugin} */
const withResource = (config) =>
  withXcodeProject(config, (config) => {
    const { platformProjectRoot, projectName } = config.modRequest;
    if (projectName === undefined) throw new Error("the Xcode project has no name; run expo prebuild again");
    copyWords(join(platformProjectRoot, projectName));
    for (const file of FILES) {
      const filepath = `${projectName}/${file}`;
      if (config.modResults.hasFile(filepath)) continue;
      IOSConfig.XcodeUtils.addResourceFileToGroup({
        filepath,
        groupName: projectName,
        isBuildFile: true,
        project: config.modResults,
      });
    }
    return config;
  });

/** @type {import("expo/config-plugins").ConfigPlugin} */
const withEnglishWords = (config) => withResource(withAsset(config));

module.exports = createRunOncePlugin(withEnglishWords, "hushbit-react-native");
