import { type FinalResult, type PastInquiry, readPastInquiry } from "./past-inquiry.ts";
import { type QueuedInquiry, readQueuedInquiry } from "./queued-inquiry.ts";
import { OUTBOX_PREFIX, outboxNames, RESULT_LIFETIME_MS } from "./waiting.ts";

export { OUTBOX_PREFIX };

/** Returns the name of an inquiry's item in the storage. */
export function itemName(key: string): string {
  return OUTBOX_PREFIX + key;
}

/** The inquiries kept in this browser. No method throws: storage may be switched off, full or broken. */
export interface Outbox {
  /** Adds an inquiry, or replaces its entry. False if the browser refuses to store it. */
  put(inquiry: QueuedInquiry): boolean;
  /** Returns an inquiry's present entry; null if it has left the outbox. */
  find(key: string): QueuedInquiry | null;
  /** Returns all inquiries, oldest first, and removes what cannot be read. */
  list(): QueuedInquiry[];
  remove(key: string): void;
  /**
   * Replaces an inquiry with its result, which the thank-you page shows after a reload, too. Where the browser refuses to
   * store it, it is known until the page is left.
   */
  settle(key: string, result: FinalResult, now: number): void;
  /** Returns how an inquiry left the outbox; null if it has not, or if nothing is known of it. */
  resultOf(key: string): FinalResult | null;
  /** Removes results that were kept for long enough. */
  removeOldResults(now: number): void;
}

/** Opens the outbox in a storage, usually localStorage; null where the browser offers none. */
export function createOutbox(storage: Storage | null): Outbox {
  const remove = (key: string) => attempt(() => storage?.removeItem(itemName(key)), undefined);
  const write = (key: string, value: unknown) =>
    attempt(() => {
      storage?.setItem(itemName(key), JSON.stringify(value));
      return storage !== null;
    }, false);
  const read = (key: string): unknown => attempt(() => JSON.parse(storage?.getItem(itemName(key)) ?? "null"), null);
  const keys = () => attempt(() => outboxNames(storage).map((name) => name.slice(OUTBOX_PREFIX.length)), []);
  const unstored = new Map<string, FinalResult>();
  const find = (key: string) => readQueuedInquiry(read(key));
  const findPast = (key: string) => readPastInquiry(read(key));

  return {
    find,
    remove,
    put: (inquiry) => write(inquiry.key, inquiry),
    list: () => {
      const inquiries = keys().flatMap((key) => {
        const inquiry = find(key);
        if (inquiry === null && findPast(key) === null) remove(key);
        return inquiry ?? [];
      });
      return inquiries.sort((one, other) => one.queuedAt - other.queuedAt);
    },
    settle: (key, result, settledAt) => {
      const past: PastInquiry = { key, result, settledAt };
      if (write(key, past)) return;
      remove(key);
      unstored.set(key, result);
    },
    resultOf: (key) => findPast(key)?.result ?? unstored.get(key) ?? null,
    removeOldResults: (now) => {
      for (const key of keys()) {
        const past = findPast(key);
        if (past !== null && now - past.settledAt > RESULT_LIFETIME_MS) remove(key);
      }
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
