// The service worker of the playground: keeps what the page is made of, so that it works without a network.

const CACHE = "hushbit-playground-2";
const worker = /** @type {any} */ (self);

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));

// What the page loaded before this worker was there.
worker.addEventListener("message", (/** @type {any} */ event) => event.waitUntil(keep(event.data)));

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method === "GET") event.respondWith(fromNetworkOrCache(event.request));
});

/** @param {string[]} addresses */
async function keep(addresses) {
  const own = addresses.filter((address) => new URL(address).origin === worker.location.origin);
  const cache = await caches.open(CACHE);
  await cache.addAll([...new Set(own)]);
}

/** Newest first: the network's, and what is kept where there is none. @param {Request} request */
async function fromNetworkOrCache(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request);
    if (kept !== undefined) return kept;
    throw error;
  }
}
