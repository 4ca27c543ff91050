export default {
  serverExternalPackages: ["hushbit"], // the server reads its files from node_modules
};
