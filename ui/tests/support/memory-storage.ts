/** A Storage in memory. */
export class MemoryStorage implements Storage {
  readonly #items = new Map<string, string>();
  readonly key = (index: number) => [...this.#items.keys()][index] ?? null;
  readonly getItem = (name: string) => this.#items.get(name) ?? null;
  setItem: Storage["setItem"] = (name, value) => void this.#items.set(name, value);
  readonly removeItem = (name: string) => void this.#items.delete(name);
  readonly clear = () => this.#items.clear();

  get length(): number {
    return this.#items.size;
  }
}

/** A Storage that refuses everything, as a browser does with storage switched off. */
export function brokenStorage(): Storage {
  const refuse = () => {
    throw new DOMException("denied", "SecurityError");
  };
  return new Proxy(new MemoryStorage(), { get: refuse, set: refuse });
}

/** A Storage that can be read and is full. */
export function fullStorage(): Storage {
  const storage = new MemoryStorage();
  storage.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  return storage;
}

/** Gives the code under test a window with these storages. */
export function withStorages(local: Storage = new MemoryStorage(), session: Storage = new MemoryStorage()): void {
  const storages = { localStorage: local, sessionStorage: session };
  Object.assign(globalThis, { window: Object.assign(new EventTarget(), storages) });
}
