import assert from "node:assert/strict";
import { test } from "node:test";
import type { SendResult } from "../inquiry/send.ts";
import { KEY_LIFETIME_MS } from "../inquiry/submission.ts";
import { createQueue, itemName } from "./queue.ts";
import type { FinalResult } from "./past-inquiry.ts";
import { afterFailure, FIRST_PAUSE_MS, queued } from "./queued-inquiry.ts";
import { type Delivery, deliver, nextDue } from "./worker.ts";
import { MemoryStorage } from "../../tests/support/memory-storage.ts";

const NOW = 1_000_000;
const UNREACHABLE: SendResult = { kind: "unreachable" };
const STORED: SendResult = { kind: "stored", reference: null, privatePage: null, firmsAsked: true };

/** A queue of inquiries that have failed once, a clock that stands still, and a server that gives these answers in turn. */
function setUp(keys: string[], answers: SendResult[]) {
  const queue = createQueue(new MemoryStorage());
  const sent: string[] = [];
  const settled: [string, FinalResult["kind"]][] = [];
  const locked = new Set<string>();
  const clock = { now: NOW };
  for (const [index, key] of keys.entries()) {
    const fresh = queued({ key, body: `[${index}]`, createdAt: "" }, NOW);
    queue.put(afterFailure(fresh, UNREACHABLE, NOW, 0));
  }
  const delivery: Delivery = {
    queue,
    lock: async (name) => {
      if (locked.has(name)) return null;
      locked.add(name);
      return () => locked.delete(name);
    },
    now: () => clock.now,
    random: () => 0,
    send: async ({ key, body }) => {
      sent.push(`${key} ${body}`);
      return answers.shift() ?? STORED;
    },
    onSettled: (key, { kind }) => settled.push([key, kind]),
  };
  return { queue, delivery, clock, sent, settled, locked };
}

test("a stored inquiry is sent with its key and body, once, and is gone", async () => {
  const { delivery, queue, sent, settled, locked } = setUp(["a", "b"], []);
  await deliver(delivery, "page-open");
  await deliver(delivery, "page-open");
  assert.deepEqual(sent, ["a [0]", "b [1]"]);
  assert.deepEqual(settled, [
    ["a", "stored"],
    ["b", "stored"],
  ]);
  assert.deepEqual(queue.list(), []);
  assert.deepEqual(queue.resultOf("a"), STORED);
  assert.equal(nextDue(queue), null);
  assert.equal(locked.size, 0);
});

test("a refused inquiry is given up, a busy one is kept and paused", async () => {
  const busy: SendResult = { kind: "busy", message: "", waitMs: 90_000 };
  const { delivery, queue, settled } = setUp(["a", "b"], [{ kind: "refused", message: "no" }, busy]);
  await deliver(delivery, "page-open");
  assert.deepEqual(settled, [["a", "refused"]]);
  assert.deepEqual(
    queue.list().map(({ key, attempts }) => [key, attempts]),
    [["b", 2]],
  );
  assert.equal(nextDue(queue), NOW + 90_000);
});

test("while a page is open an inquiry waits for the end of its pause", async () => {
  const { delivery, clock, sent } = setUp(["a"], []);
  await deliver(delivery, "timer");
  assert.deepEqual(sent, []);
  clock.now = NOW + FIRST_PAUSE_MS;
  await deliver(delivery, "timer");
  assert.deepEqual(sent, ["a [0]"]);
});

test("an expired inquiry is no longer sent, and that is told", async () => {
  const { delivery, clock, queue, sent, settled } = setUp(["a"], []);
  clock.now = NOW + KEY_LIFETIME_MS + 1;
  await deliver(delivery, "page-open");
  assert.deepEqual(sent, []);
  assert.deepEqual(settled, [["a", "expired"]]);
  assert.deepEqual(queue.list(), []);
});

test("what another tab delivered or withdrew meanwhile is neither sent nor kept again", async () => {
  const { delivery, queue, sent } = setUp(["a", "b"], []);
  const send = async (...submission: Parameters<Delivery["send"]>) => {
    await delivery.send(...submission);
    queue.remove("a");
    queue.remove("b");
    return UNREACHABLE;
  };
  await deliver({ ...delivery, send }, "page-open");
  assert.deepEqual(sent, ["a [0]"]);
  assert.deepEqual(queue.list(), []);
});

test("what another tab is sending, or the visitor is correcting, is left alone and holds up nothing else", async () => {
  const { delivery, sent, locked } = setUp(["a", "b"], []);
  locked.add(itemName("a"));
  await deliver(delivery, "page-open");
  assert.deepEqual(sent, ["b [1]"]);
});
