/** Gives a lock back. */
export type Release = () => void;

/** A browser answers within milliseconds. An inquiry must not wait for one that never does. */
export const LOCK_TIMEOUT_MS = 2_000;

const heldHere = new Set<string>();

/**
 * Takes a lock without waiting for it; null if this tab or another one has it. The browser releases the locks of a tab
 * that is closed. Plain http has no locks between tabs, and some browsers refuse them: then the lock holds within this
 * tab, and the Idempotency-Key alone prevents doubles.
 */
export async function tryLock(
  name: string,
  locks: LockManager | undefined = globalThis.navigator?.locks,
): Promise<Release | null> {
  if (heldHere.has(name)) return null;
  heldHere.add(name);
  const releaseTabs = locks === undefined ? () => {} : await lockTabs(locks, name);
  if (releaseTabs === null) {
    heldHere.delete(name);
    return null;
  }
  return () => {
    heldHere.delete(name);
    releaseTabs();
  };
}

function lockTabs(locks: LockManager, name: string): Promise<Release | null> {
  return new Promise((resolve) => {
    let isLate = false;
    const goOnWithout = () => {
      isLate = true;
      resolve(() => {});
    };
    const timer = setTimeout(goOnWithout, LOCK_TIMEOUT_MS);
    const hold = (lock: Lock | null) => {
      clearTimeout(timer);
      if (lock !== null && !isLate) return new Promise<void>((release) => resolve(release));
      resolve(null);
      return undefined;
    };
    locks.request(name, { ifAvailable: true }, hold).catch(() => {
      clearTimeout(timer);
      goOnWithout();
    });
  });
}
