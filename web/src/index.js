// Hushbit makes text private in the browser, before it leaves the browser. See docs/web.md.

export { Budget } from "./budget.js";
export { Bundle } from "./bundle.js";
export { Classifier } from "./classifier.js";
export { Embedder, openProjection } from "./embedder.js";
export { HushbitError } from "./errors.js";
export { deviceKey } from "./key.js";
export { load } from "./load.js";
export { Privatizer } from "./privatizer.js";
export { Reporter } from "./reporter.js";
export { RemoteBundle, RemoteEmbedder, RemotePrivatizer, RemoteReporter, loadInWorker } from "./remote.js";
export { IndexedDbStore } from "./store.js";

/**
 * @typedef {import("./budget.js").BudgetLimits} BudgetLimits
 * @typedef {import("./budget.js").BudgetPlace} BudgetPlace
 * @typedef {import("./budget.js").BudgetState} BudgetState
 * @typedef {import("./bundle.js").BundleInfo} BundleInfo
 * @typedef {import("./classifier.js").Classified} Classified
 * @typedef {import("./embedder.js").EmbedderInfo} EmbedderInfo
 * @typedef {import("./embedder.js").Embedding} Embedding
 * @typedef {import("./embedder.js").NearWord} NearWord
 * @typedef {import("./errors.js").Status} Status
 * @typedef {import("./load.js").Wasm} Wasm
 * @typedef {import("./options.js").CrowdSize} CrowdSize
 * @typedef {import("./options.js").EmbedderOptions} EmbedderOptions
 * @typedef {import("./options.js").Mechanism} Mechanism
 * @typedef {import("./options.js").OovPolicy} OovPolicy
 * @typedef {import("./options.js").PrivatizerOptions} PrivatizerOptions
 * @typedef {import("./options.js").PunctuationPolicy} PunctuationPolicy
 * @typedef {import("./options.js").ReporterOptions} ReporterOptions
 * @typedef {import("./options.js").Values} Values
 * @typedef {import("./privatizer.js").PrivatizerInfo} PrivatizerInfo
 * @typedef {import("./reporter.js").Report} Report
 * @typedef {import("./reporter.js").ReporterInfo} ReporterInfo
 * @typedef {import("./result.js").Cost} Cost
 * @typedef {import("./result.js").PrivatizedText} PrivatizedText
 * @typedef {import("./result.js").Token} Token
 * @typedef {import("./source.js").BundleSource} BundleSource
 * @typedef {import("./source.js").Download} Download
 * @typedef {import("./source.js").Progress} Progress
 * @typedef {import("./store.js").Store} Store
 */
