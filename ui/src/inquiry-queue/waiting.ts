/**
 * Every inquiry is an item of its own, so that two tabs never overwrite each other's. Visitors' browsers hold items of this
 * name, so that it stays.
 */
export const QUEUE_PREFIX = "inquiry-outbox:";

/** How long it is kept how an inquiry left the queue: as long as an inquiry itself is kept at most. */
export const RESULT_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Says whether the queue needs to be looked at: an inquiry waits to be sent, or a result is old. It is apart from the
 * rest of the queue, because every page asks, and hardly any must then load the rest.
 */
export function isWaiting(storage: Storage | null, now: number): boolean {
  try {
    return queueNames(storage).some((name) => !isRecentResult(storage?.getItem(name), now));
  } catch {
    return false; // switched off
  }
}

/** Returns the names of all items of the queue. Throws if the browser refuses to read. */
export function queueNames(storage: Storage | null): string[] {
  const names = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? "");
  return names.filter((name) => name.startsWith(QUEUE_PREFIX));
}

function isRecentResult(text: unknown, now: number): boolean {
  try {
    const { settledAt } = JSON.parse(String(text)) as { settledAt?: unknown };
    return typeof settledAt === "number" && now - settledAt <= RESULT_LIFETIME_MS;
  } catch {
    return false;
  }
}
