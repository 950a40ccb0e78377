/** An in-memory Storage. */
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

/** Mocks a window with these storages for the code under test. */
export function withStorages(local: Storage = new MemoryStorage(), session: Storage = new MemoryStorage()): void {
  const storages = { localStorage: local, sessionStorage: session };
  Object.assign(globalThis, { window: Object.assign(new EventTarget(), storages) });
}
