import { type Letter, parseLetter } from "./letter.ts";

/** Every letter is an item of its own, so that two tabs never overwrite each other's. */
export const OUTBOX_PREFIX = "inquiry-outbox:";

/** The letters kept in this browser. No method throws: storage may be switched off, full or broken. */
export interface Outbox {
  /** Keeps a letter, or its new state. False if the browser did not take it. */
  keep(letter: Letter): boolean;
  /** A letter as it stands now, null once another tab has delivered it. */
  find(key: string): Letter | null;
  /** All letters, oldest first. What cannot be read is removed. */
  list(): Letter[];
  remove(key: string): void;
}

/** The outbox in a storage, usually localStorage; null where the browser has none to offer. */
export function createOutbox(storage: Storage | null): Outbox {
  const nameOf = (key: string) => OUTBOX_PREFIX + key;

  const remove = (key: string) => attempt(() => storage?.removeItem(nameOf(key)), undefined);

  const find = (key: string) => {
    const text = attempt(() => storage?.getItem(nameOf(key)) ?? null, null);
    return text === null ? null : parseLetter(text);
  };

  const keys = () =>
    attempt(() => {
      const names = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? "");
      return names.filter((name) => name.startsWith(OUTBOX_PREFIX)).map((name) => name.slice(OUTBOX_PREFIX.length));
    }, []);

  return {
    find,
    remove,
    keep: (letter) =>
      attempt(() => {
        storage?.setItem(nameOf(letter.key), JSON.stringify(letter));
        return storage !== null;
      }, false),
    list: () => {
      const letters = keys().flatMap((key) => {
        const letter = find(key);
        if (letter === null) remove(key);
        return letter ?? [];
      });
      return letters.sort((one, other) => one.queuedAt - other.queuedAt);
    },
  };
}

function attempt<T>(action: () => T, otherwise: T): T {
  try {
    return action();
  } catch {
    return otherwise;
  }
}
