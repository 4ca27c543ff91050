// What TypeScript knows of the element and its events. web/package.js lets share.d.ts import it.

import type { HushbitShare, Release } from "./share.js";

declare global {
  interface HTMLElementTagNameMap {
    "hushbit-share": HushbitShare;
  }
  interface HTMLElementEventMap {
    "hushbit-release": CustomEvent<Release>;
    "hushbit-error": CustomEvent<unknown>;
  }
}
