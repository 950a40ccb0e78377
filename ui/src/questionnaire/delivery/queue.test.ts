import assert from "node:assert/strict";
import { test } from "node:test";
import { SEND_TIMEOUT_MS } from "../../inquiry/send.ts";
import { KEY_LIFETIME_MS } from "../../inquiry/submission.ts";
import {
  dueAt,
  enqueue,
  type FinalResult,
  findQueued,
  FIRST_PAUSE_MS,
  isExpired,
  listQueue,
  LONGEST_PAUSE_MS,
  LONGEST_WAIT_MS,
  postpone,
  privatePageOf,
  removeQueued,
  settle,
  storedResult,
} from "./queue.ts";
import { isWaiting, QUEUE_PREFIX, RESULT_LIFETIME_MS } from "./waiting.ts";
import { MemoryStorage, withStorages } from "../../../tests/support/memory-storage.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const UNREACHABLE = { kind: "unreachable" } as const;
const STORED = {
  kind: "stored",
  reference: "1f2e3d4c5b6a",
  privatePage: "/anfrage/Zm9vYmFyYmF6cXV4-_0123",
  firmsAsked: true,
} as const;

const submission = (key: string, createdAt = "2026-03-01T12:00:00Z") => ({
  key,
  body: `[{"first_name":"${key}"}]`,
  createdAt,
  headers: {},
});

/** Returns an inquiry that is in the queue. */
const found = (key: string) => findQueued(key) ?? assert.fail(`${key} is not in the queue`);

/** Queues an inquiry in an otherwise empty browser. */
function setUp(local = new MemoryStorage(), session = new MemoryStorage()) {
  withStorages(local, session);
  assert.ok(enqueue(submission("a"), NOW));
  return { local, session };
}

test("inquiries are listed oldest first, and unreadable items are removed", () => {
  const { local } = setUp();
  enqueue(submission("older", "2026-03-01T11:00:00Z"), NOW);
  for (const text of ["", "{", "null", "[]", '"text"', '{"key":"a"}', '{"key":1}', '{"key":"a","result":{}}'])
    local.setItem(QUEUE_PREFIX + text, text);
  local.setItem("cookieSettings", "{");
  assert.deepEqual(
    listQueue(NOW).map(({ key }) => key),
    ["older", "a"],
  );
  assert.equal(local.length, 3);
  removeQueued("older");
  assert.equal(findQueued("older"), null);
});

test("an inquiry queued again keeps its attempts; it expires seven days after its key was made", () => {
  setUp();
  postpone(found("a"), UNREACHABLE, NOW, 0);
  enqueue(submission("a"), NOW + 1000);
  assert.equal(found("a").attempts, 1);
  assert.equal(isExpired(found("a"), NOW + KEY_LIFETIME_MS), false);
  assert.equal(isExpired(found("a"), NOW + KEY_LIFETIME_MS + 1), true);
});

test("pauses double up to the longest, jitter adds up to half, and Retry-After is honoured for up to a day", () => {
  setUp();
  const due = () => dueAt(found("a"));
  assert.equal(due(), NOW + SEND_TIMEOUT_MS, "while it is sent for the first time");
  for (const [random, pause] of [
    [0, FIRST_PAUSE_MS],
    [0, 2 * FIRST_PAUSE_MS],
    [1, 6 * FIRST_PAUSE_MS],
  ] as const) {
    postpone(found("a"), UNREACHABLE, NOW, random);
    assert.equal(due(), NOW + pause);
    assert.equal(found("a").notBefore, NOW, "a pause of our own ends with the next visit");
  }
  for (let times = 0; times < 2000; times += 1) postpone(found("a"), UNREACHABLE, NOW, 0);
  assert.equal(due(), NOW + LONGEST_PAUSE_MS);
  for (const [waitMs, kept] of [
    [LONGEST_WAIT_MS - 1, LONGEST_WAIT_MS - 1],
    [1e15, LONGEST_WAIT_MS],
  ] as const) {
    postpone(found("a"), { kind: "busy", message: "", waitMs }, NOW, 0);
    assert.equal(found("a").notBefore, NOW + kept);
  }
});

test("a result replaces the inquiry, contains nothing of it, and is removed after seven days", () => {
  const results: readonly FinalResult[] = [STORED, { kind: "refused", message: "Nein" }, { kind: "expired" }];
  for (const result of results) {
    const { local } = setUp();
    settle("a", result, NOW);
    assert.deepEqual([findQueued("a"), listQueue(NOW)], [null, []]);
    assert.doesNotMatch(local.getItem(`${QUEUE_PREFIX}a`) ?? "", /first_name|anfrage/);
    assert.deepEqual(storedResult("a"), result.kind === "stored" ? STORED : null);
    listQueue(NOW + RESULT_LIFETIME_MS);
    assert.equal(local.length, 1);
    listQueue(NOW + RESULT_LIFETIME_MS + 1);
    assert.equal(local.length, 0);
    assert.equal(privatePageOf("a"), null);
  }
});

test("only the tab that sent the inquiry knows the private page, and a forged one is ignored", () => {
  const { local, session } = setUp();
  settle("a", STORED, NOW);
  assert.equal(privatePageOf("a"), STORED.privatePage);
  session.setItem("inquiry-page:a", "https://example.com/anfrage/x");
  assert.equal(privatePageOf("a"), null);
  withStorages(local, new MemoryStorage());
  assert.deepEqual(storedResult("a"), { ...STORED, privatePage: null });
});

test("waiting, unreadable and old items need the rest of the queue; a fresh result does not", () => {
  const past = (settledAt: number) => JSON.stringify({ result: { kind: "expired" }, settledAt });
  for (const [name, text, isNeeded] of [
    [`${QUEUE_PREFIX}a`, JSON.stringify({ attempts: 1 }), true],
    [`${QUEUE_PREFIX}a`, "{", true],
    [`${QUEUE_PREFIX}a`, "null", true],
    [`${QUEUE_PREFIX}a`, past(NOW - RESULT_LIFETIME_MS - 1), true],
    [`${QUEUE_PREFIX}a`, past(NOW - RESULT_LIFETIME_MS), false],
    ["other", "{", false],
  ] as const) {
    const storage = new MemoryStorage();
    storage.setItem(name, text);
    withStorages(storage);
    assert.equal(isWaiting(NOW), isNeeded, text);
  }
});
