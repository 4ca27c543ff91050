// What all objects of this package share: memory of the C++ module, which is freed by `dispose` or, later, by the
// garbage collector.

import type { NativeHandle } from "./native";

export class Handle<Native extends NativeHandle> {
  /** @internal The object of the C++ module. */
  readonly native: Native;
  readonly #users = new Set<Handle<NativeHandle>>();
  #forget = () => {};
  #disposed = false;

  constructor(native: Native) {
    this.native = native;
  }

  /** Whether `dispose` was called. */
  get disposed() {
    return this.#disposed;
  }

  /**
   * Wipes it and frees its memory, and disposes what was created from it. May be called more than once. The garbage
   * collector does the same, later.
   */
  dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    for (const user of [...this.#users]) user.dispose();
    this.native.dispose();
    this.#forget();
  }

  /** Disposes `user` when this is disposed. */
  protected adopt<User extends Handle<NativeHandle>>(user: User): User {
    this.#users.add(user);
    user.#forget = () => this.#users.delete(user);
    return user;
  }
}
