import assert from "node:assert/strict";
import { test } from "node:test";
import { LOCK_TIMEOUT_MS, tryLock } from "./lock.ts";

/** As much of a LockManager as is used. */
function locksOf(request: (hold: (lock: Lock | null) => unknown) => Promise<unknown>): LockManager {
  return {
    query: () => Promise.resolve({}),
    request: ((_name: string, _options: LockOptions, hold: (lock: Lock | null) => unknown) =>
      request(hold)) as LockManager["request"],
  };
}

test("without locks between tabs it holds within the tab, and can be taken again after its release", async () => {
  const release = await tryLock("a", undefined);
  assert.ok(release);
  assert.equal(await tryLock("a", undefined), null);
  assert.ok(await tryLock("b", undefined));
  release();
  assert.ok(await tryLock("a", undefined));
});

test("a lock of another tab is not waited for", async () => {
  const taken = locksOf(async (hold) => hold(null));
  assert.equal(await tryLock("c", taken), null);
  assert.ok(await tryLock("c", undefined), "it is not held here");
});

test("the tabs' lock is held until the release", async () => {
  let held: unknown;
  const release = await tryLock(
    "d",
    locksOf((hold) => (held = hold({ name: "d", mode: "exclusive" })) as Promise<unknown>),
  );
  let isOver = false;
  void (held as Promise<void>).then(() => (isOver = true));
  await Promise.resolve();
  assert.equal(isOver, false);
  release?.();
  await held;
  assert.ok(isOver);
});

test("a browser that refuses its locks does not keep an inquiry from being sent", async () => {
  const release = await tryLock(
    "e",
    locksOf(() => Promise.reject(new DOMException("denied", "SecurityError"))),
  );
  assert.ok(release);
  assert.equal(await tryLock("e", undefined), null, "within the tab it holds all the same");
});

test("a browser that never answers does not keep an inquiry from being sent", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const taking = tryLock(
    "f",
    locksOf(() => new Promise(() => {})),
  );
  context.mock.timers.tick(LOCK_TIMEOUT_MS);
  assert.ok(await taking);
});
