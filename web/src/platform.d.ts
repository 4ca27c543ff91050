// Names of the platform, for projects whose `lib` lacks them, such as servers. Where they exist, this changes nothing
// of them. web/package.js lets index.d.ts import it.

export {};

declare global {
  interface Blob {
    readonly size: number;
  }
  interface Response {
    readonly ok: boolean;
  }
  interface URL {
    href: string;
  }
  interface Worker {
    terminate(): void;
  }
  namespace WebAssembly {
    interface Module {}
  }
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
}
