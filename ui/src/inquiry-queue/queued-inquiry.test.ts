import assert from "node:assert/strict";
import { test } from "node:test";
import { SEND_TIMEOUT_MS } from "../inquiry/send.ts";
import { KEY_LIFETIME_MS } from "../inquiry/submission.ts";
import {
  afterFailure,
  dueAt,
  FIRST_PAUSE_MS,
  isDue,
  isExpired,
  LONGEST_PAUSE_MS,
  LONGEST_WAIT_MS,
  queued,
} from "./queued-inquiry.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const UNREACHABLE = { kind: "unreachable" } as const;
const fresh = queued({ key: "a", body: "[{}]", createdAt: "2026-03-01T12:00:00Z" }, NOW);

test("while it is sent for the first time the timer leaves it alone, a new visit does not", () => {
  assert.equal(isDue(fresh, NOW + SEND_TIMEOUT_MS - 1, "timer"), false);
  assert.equal(isDue(fresh, NOW + SEND_TIMEOUT_MS, "timer"), true);
  assert.equal(isDue(fresh, NOW, "page-open"), true);
});

test("pauses double up to the longest, and are spread by half", () => {
  let inquiry = afterFailure(fresh, UNREACHABLE, NOW, 0);
  assert.equal(dueAt(inquiry), NOW + FIRST_PAUSE_MS);
  inquiry = afterFailure(inquiry, UNREACHABLE, NOW, 0);
  assert.equal(dueAt(inquiry), NOW + 2 * FIRST_PAUSE_MS);
  assert.equal(dueAt(afterFailure(inquiry, UNREACHABLE, NOW, 1)), NOW + 6 * FIRST_PAUSE_MS);
  for (let n = 0; n < 2000; n += 1) inquiry = afterFailure(inquiry, UNREACHABLE, NOW, 0);
  assert.equal(dueAt(inquiry), NOW + LONGEST_PAUSE_MS);
});

test("Retry-After holds even for a new visit, a pause of our own does not", () => {
  const asked = afterFailure(fresh, { kind: "busy", message: "", waitMs: 60_000 }, NOW, 0);
  for (const trigger of ["page-open", "online"] as const) {
    assert.equal(isDue(asked, NOW + 59_999, trigger), false);
    assert.equal(isDue(asked, NOW + 60_000, trigger), true);
  }
  const own = afterFailure(fresh, UNREACHABLE, NOW, 0);
  assert.equal(isDue(own, NOW, "online"), true);
  assert.equal(isDue(own, NOW, "timer"), false);
});

test("an absurd Retry-After is cut to a day", () => {
  const inquiry = afterFailure(fresh, { kind: "busy", message: "", waitMs: 1e15 }, NOW, 0);
  assert.equal(dueAt(inquiry), NOW + LONGEST_WAIT_MS);
});

test("an inquiry is given up seven days after its key was made, whenever it was queued", () => {
  const later = queued(fresh, NOW + 1000);
  for (const inquiry of [fresh, later]) {
    assert.equal(isExpired(inquiry, NOW + KEY_LIFETIME_MS), false);
    assert.equal(isExpired(inquiry, NOW + KEY_LIFETIME_MS + 1), true);
  }
});
