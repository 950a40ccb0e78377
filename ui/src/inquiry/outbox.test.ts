import assert from "node:assert/strict";
import { test } from "node:test";
import {
  afterFailure,
  dueAt,
  FIRST_PAUSE_MS,
  isDue,
  isExpired,
  LETTER_LIFETIME_MS,
  LONGEST_PAUSE_MS,
  LONGEST_WAIT_MS,
  letterFor,
} from "./letter.ts";
import { createOutbox, OUTBOX_PREFIX } from "./outbox.ts";
import { brokenStorage, fullStorage, MemoryStorage } from "../../tests/support/memory-storage.ts";

const NOW = 1_000_000;
const UNREACHABLE = { kind: "unreachable" } as const;
const attempt = (key: string) => ({ key, body: `[{"first_name":"${key}"}]`, createdAt: "2026-03-01T12:00:00Z" });

test("letters come back as they were kept, oldest first", () => {
  const outbox = createOutbox(new MemoryStorage());
  const later = letterFor(attempt("later"), UNREACHABLE, NOW + 1, 0);
  const sooner = letterFor(attempt("sooner"), UNREACHABLE, NOW, 0);
  assert.ok(outbox.keep(later) && outbox.keep(sooner));
  assert.deepEqual(outbox.list(), [sooner, later]);
  outbox.remove("sooner");
  assert.deepEqual(outbox.list(), [later]);
  assert.equal(outbox.find("sooner"), null);
});

test("what is no letter is removed, what is not ours stays", () => {
  const storage = new MemoryStorage();
  for (const text of ["", "{", "null", "[]", '"text"', '{"key":"a"}', '{"key":1}']) {
    storage.setItem(`${OUTBOX_PREFIX}${text}`, text);
  }
  storage.setItem("cookieSettings", "{");
  assert.deepEqual(createOutbox(storage).list(), []);
  assert.equal(storage.length, 1);
});

test("a letter keeps how its form was filled in, and is not lost when that cannot be read", () => {
  const storage = new MemoryStorage();
  const outbox = createOutbox(storage);
  const report = { fillTime: 41_250, isTrapFilled: false };
  const bare = letterFor(attempt("a"), UNREACHABLE, NOW, 0);
  const letter = letterFor({ ...attempt("a"), report }, UNREACHABLE, NOW, 0);
  outbox.keep(letter);
  assert.deepEqual(outbox.find("a"), letter);
  for (const broken of [null, 1, {}, { fillTime: "1", isTrapFilled: false }, { fillTime: -1, isTrapFilled: false }]) {
    storage.setItem(`${OUTBOX_PREFIX}a`, JSON.stringify({ ...bare, report: broken }));
    assert.deepEqual(outbox.find("a"), bare);
  }
});

test("without storage, with a broken and with a full one nothing is kept and nothing throws", () => {
  const letter = letterFor(attempt("a"), UNREACHABLE, NOW, 0);
  for (const storage of [null, brokenStorage(), fullStorage()]) {
    const outbox = createOutbox(storage);
    assert.equal(outbox.keep(letter), false);
    assert.deepEqual(outbox.list(), []);
    assert.equal(outbox.find("a"), null);
    outbox.remove("a");
  }
});

test("pauses double up to the longest, and are spread by half", () => {
  let letter = letterFor(attempt("a"), UNREACHABLE, NOW, 0);
  assert.equal(dueAt(letter), NOW + FIRST_PAUSE_MS);
  letter = afterFailure(letter, UNREACHABLE, NOW, 0);
  assert.equal(dueAt(letter), NOW + 2 * FIRST_PAUSE_MS);
  assert.equal(dueAt(afterFailure(letter, UNREACHABLE, NOW, 1)), NOW + 6 * FIRST_PAUSE_MS);
  for (let n = 0; n < 2000; n += 1) letter = afterFailure(letter, UNREACHABLE, NOW, 0);
  assert.equal(dueAt(letter), NOW + LONGEST_PAUSE_MS);
});

test("Retry-After holds even where there is new hope, a pause of our own does not", () => {
  const busy = { kind: "busy", message: "", waitMs: 60_000 } as const;
  const asked = letterFor(attempt("a"), busy, NOW, 0);
  assert.equal(isDue(asked, NOW + 59_999, "new-hope"), false);
  assert.equal(isDue(asked, NOW + 60_000, "new-hope"), true);
  const own = letterFor(attempt("b"), UNREACHABLE, NOW, 0);
  assert.equal(isDue(own, NOW, "new-hope"), true);
  assert.equal(isDue(own, NOW, "pause-over"), false);
});

test("an absurd Retry-After is cut to a day", () => {
  const letter = letterFor(attempt("a"), { kind: "busy", message: "", waitMs: 1e15 }, NOW, 0);
  assert.equal(dueAt(letter), NOW + LONGEST_WAIT_MS);
});

test("a letter lives for seven days", () => {
  const letter = letterFor(attempt("a"), UNREACHABLE, NOW, 0);
  assert.equal(isExpired(letter, NOW + LETTER_LIFETIME_MS), false);
  assert.equal(isExpired(letter, NOW + LETTER_LIFETIME_MS + 1), true);
});
