// What React Native's autolinking needs: on iOS it finds the podspec by itself.
module.exports = {
  dependency: {
    platforms: {
      android: {
        sourceDir: ".",
        cxxModuleCMakeListsModuleName: "hushbit_react_native",
        cxxModuleCMakeListsPath: "CMakeLists.txt",
        cxxModuleHeaderName: "HushbitModule",
      },
    },
  },
};
