import { readPrivatePage } from "../inquiry/private-page.ts";
import { type FinalResult, type PastInquiry, readPastInquiry } from "./past-inquiry.ts";
import { type QueuedInquiry, readQueuedInquiry } from "./queued-inquiry.ts";
import { QUEUE_PREFIX, queueNames, RESULT_LIFETIME_MS } from "./waiting.ts";

export { QUEUE_PREFIX };

/** Under which the tab that has sent an inquiry keeps its private page. Only there, since the link is a secret. */
export const PAGE_PREFIX = "inquiry-page:";

/** Returns the name of an inquiry's item in the storage. */
export function itemName(key: string): string {
  return QUEUE_PREFIX + key;
}

function pageName(key: string): string {
  return PAGE_PREFIX + key;
}

/** The inquiries kept in this browser. No method throws: storage may be switched off, full or broken. */
export interface InquiryQueue {
  /** Adds an inquiry, or replaces its entry. False if the browser refuses to store it. */
  put(inquiry: QueuedInquiry): boolean;
  /** Returns an inquiry's present entry; null if it has left the queue. */
  find(key: string): QueuedInquiry | null;
  /** Returns all inquiries, oldest first, and removes what cannot be read. */
  list(): QueuedInquiry[];
  remove(key: string): void;
  /**
   * Replaces an inquiry with its result, which the thank-you page shows after a reload, too. The private page is known in
   * this tab alone. Where the browser refuses to store either, it is known until the page is left.
   */
  settle(key: string, result: FinalResult, now: number): void;
  /** Returns how an inquiry left the queue; null if it has not, or if nothing is known of it. */
  resultOf(key: string): FinalResult | null;
  /** Returns the private page of an inquiry that this tab has sent, whatever else is known of it. */
  privatePageOf(key: string): string | null;
  /** Removes results that were kept for long enough. */
  removeOldResults(now: number): void;
}

/** Opens the queue in the storages of the browser and of the tab; null where there are none. */
export function createQueue(storage: Storage | null, tabStorage: Storage | null = null): InquiryQueue {
  const remove = (key: string) => {
    attempt(() => storage?.removeItem(itemName(key)), undefined);
    attempt(() => tabStorage?.removeItem(pageName(key)), undefined);
  };
  const write = (key: string, value: unknown) =>
    attempt(() => {
      storage?.setItem(itemName(key), JSON.stringify(value));
      return storage !== null;
    }, false);
  const read = (key: string): unknown => attempt(() => JSON.parse(storage?.getItem(itemName(key)) ?? "null"), null);
  const keys = () => attempt(() => queueNames(storage).map((name) => name.slice(QUEUE_PREFIX.length)), []);
  const unstored = new Map<string, FinalResult>();
  const find = (key: string) => readQueuedInquiry(read(key));
  const findPast = (key: string) => readPastInquiry(read(key));
  const privatePageOf = (key: string) => readPrivatePage(attempt(() => tabStorage?.getItem(pageName(key)), null));

  return {
    find,
    remove,
    privatePageOf,
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
      const page = result.kind === "stored" ? result.privatePage : null;
      const kept = result.kind === "stored" ? { ...result, privatePage: null } : result;
      const isStored = write(key, { key, result: kept, settledAt } satisfies PastInquiry);
      if (!isStored) remove(key);
      if (page !== null) attempt(() => tabStorage?.setItem(pageName(key), page), undefined);
      if (!isStored || privatePageOf(key) !== page) unstored.set(key, result);
    },
    resultOf: (key) => {
      const result = unstored.get(key) ?? findPast(key)?.result ?? null;
      const page = privatePageOf(key);
      return result?.kind === "stored" && page !== null ? { ...result, privatePage: page } : result;
    },
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
