import assert from "node:assert/strict";
import { test } from "node:test";
import { type Delivery, deliver, nextDue, type Settlement } from "./delivery.ts";
import { FIRST_PAUSE_MS, LETTER_LIFETIME_MS, letterFor } from "./letter.ts";
import { createOutbox } from "./outbox.ts";
import type { Outcome } from "./submit.ts";
import { MemoryStorage } from "../../tests/support/memory-storage.ts";

const NOW = 1_000_000;
const UNREACHABLE: Outcome = { kind: "unreachable" };
const STORED: Outcome = { kind: "stored", reference: null };

/** An outbox with letters, a clock that stands, and a server that gives these answers in turn. */
function setUp(keys: string[], answers: Outcome[]) {
  const outbox = createOutbox(new MemoryStorage());
  const sent: string[] = [];
  const settled: [string, Settlement["kind"]][] = [];
  const clock = { now: NOW };
  for (const [index, key] of keys.entries()) {
    outbox.keep(letterFor({ key, body: `[${index}]`, createdAt: "" }, UNREACHABLE, NOW, 0));
  }
  const delivery: Delivery = {
    outbox,
    now: () => clock.now,
    random: () => 0,
    send: async ({ key, body }) => {
      sent.push(`${key} ${body}`);
      return answers.shift() ?? STORED;
    },
    onSettled: (letter, { kind }) => settled.push([letter.key, kind]),
  };
  return { outbox, delivery, clock, sent, settled };
}

test("a stored letter is sent with its key and body, once, and is gone", async () => {
  const { delivery, outbox, sent, settled } = setUp(["a", "b"], []);
  await deliver(delivery, "new-hope");
  await deliver(delivery, "new-hope");
  assert.deepEqual(sent, ["a [0]", "b [1]"]);
  assert.deepEqual(settled, [
    ["a", "stored"],
    ["b", "stored"],
  ]);
  assert.deepEqual(outbox.list(), []);
  assert.equal(nextDue(outbox), null);
});

test("a refused letter is given up, a busy one is kept and paused", async () => {
  const busy: Outcome = { kind: "busy", message: "", waitMs: 90_000 };
  const { delivery, outbox, settled } = setUp(["a", "b"], [{ kind: "refused", message: "no" }, busy]);
  await deliver(delivery, "new-hope");
  assert.deepEqual(settled, [["a", "refused"]]);
  assert.deepEqual(
    outbox.list().map(({ key, attempts }) => [key, attempts]),
    [["b", 2]],
  );
  assert.equal(nextDue(outbox), NOW + 90_000);
});

test("while a page is open a letter waits for the end of its pause", async () => {
  const { delivery, clock, sent } = setUp(["a"], []);
  await deliver(delivery, "pause-over");
  assert.deepEqual(sent, []);
  clock.now = NOW + FIRST_PAUSE_MS;
  await deliver(delivery, "pause-over");
  assert.deepEqual(sent, ["a [0]"]);
});

test("an expired letter is not sent any more, and that is told", async () => {
  const { delivery, clock, outbox, sent, settled } = setUp(["a"], []);
  clock.now = NOW + LETTER_LIFETIME_MS + 1;
  await deliver(delivery, "new-hope");
  assert.deepEqual(sent, []);
  assert.deepEqual(settled, [["a", "expired"]]);
  assert.deepEqual(outbox.list(), []);
});

test("what another tab delivered meanwhile is neither sent nor kept again", async () => {
  const { delivery, outbox, sent } = setUp(["a", "b"], []);
  const send = async (...letter: Parameters<Delivery["send"]>) => {
    await delivery.send(...letter);
    outbox.remove("a");
    outbox.remove("b");
    return UNREACHABLE;
  };
  await deliver({ ...delivery, send }, "new-hope");
  assert.deepEqual(sent, ["a [0]"]);
  assert.deepEqual(outbox.list(), []);
});
