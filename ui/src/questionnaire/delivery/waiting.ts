import { itemNames, readItem } from "../../browser/storage.ts";

/**
 * Every inquiry is a separate item, so that two tabs never overwrite each other's. The name must stay, because visitors'
 * browsers have stored items under it.
 */
export const QUEUE_PREFIX = "inquiry-outbox:";

/** How long an inquiry's result is kept: as long as the inquiry itself could have been. */
export const RESULT_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Returns whether the queue needs attention: an inquiry is waiting, or a result is old. It is a separate module, because
 * every page asks, and hardly any has to load the rest of the queue.
 */
export function isWaiting(now: number): boolean {
  return itemNames("localStorage", QUEUE_PREFIX).some((name) => !isRecentResult(readEntry(name), now));
}

/** Returns whether an item of the queue is a result that is still kept. */
export function isRecentResult({ settledAt }: { readonly settledAt?: number }, now: number): boolean {
  return settledAt !== undefined && now - settledAt <= RESULT_LIFETIME_MS;
}

/** Returns an item of the queue, or an empty object if it is missing or unreadable. */
export function readEntry(name: string): object {
  try {
    return Object(JSON.parse(readItem("localStorage", name) ?? "null"));
  } catch {
    return {};
  }
}
