import { type Release, tryLock } from "./lock.ts";
import { itemName, type InquiryQueue } from "./queue.ts";

/** How long a page that is reloaded has to hold the inquiry back again. */
const RELOAD_MS = 10_000;
/** How often a lock is tried again that somebody else has. */
const RETRY_MS = 500;

/**
 * Keeps an inquiry from being sent, in any tab, until the returned function is called or the page is left. A request
 * that is already under way cannot be stopped; after it, if it fails, the inquiry is held back.
 */
export function holdBack(queue: InquiryQueue, key: string): () => void {
  let isOver = false;
  let release: Release | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const acquire = async () => {
    const lock = await tryLock(itemName(key));
    if (isOver) lock?.();
    else if (lock === null) retry = setTimeout(() => void acquire(), RETRY_MS);
    else release = lock;
  };

  // The lock ends with the page, and a page that opens delivers at once.
  const postpone = () => {
    const inquiry = queue.find(key);
    if (inquiry === null) return;
    queue.put({ ...inquiry, notBefore: Math.max(inquiry.notBefore, Date.now() + RELOAD_MS) });
  };

  window.addEventListener("pagehide", postpone);
  void acquire();

  return () => {
    isOver = true;
    clearTimeout(retry);
    window.removeEventListener("pagehide", postpone);
    release?.();
  };
}
