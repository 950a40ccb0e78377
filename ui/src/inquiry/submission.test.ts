import assert from "node:assert/strict";
import { test } from "node:test";
import { CONSENT } from "./rules.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";
import { isSubmissionOf, KEY_LIFETIME_MS, submissionFor } from "./submission.ts";
import { ANSWERS } from "../../tests/support/answers.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("a submission carries one record with the nine fields and nothing else", () => {
  const { key, body } = submissionFor({ ...ANSWERS, firstName: " Änne\u00a0" }, null, NOW);
  assert.match(key, UUID);
  assert.deepEqual(JSON.parse(body), [
    {
      created_at: "2026-03-01T12:00:00.000Z",
      postal_code: "20095",
      property_type: "residential",
      types_of_problems: "nesting,other",
      problem_locations: "balcony",
      first_name: "Änne",
      last_name: "Groß",
      email_address: "aenne@example.de",
      phone_number: "+49 (40) 123-456-78",
    },
  ]);
});

test("the same answers again are the same submission, key, time and all", () => {
  const first = submissionFor(ANSWERS, null, NOW, { fillTime: 41_250, isTrapFilled: false });
  const later = { fillTime: 101_250, isTrapFilled: false };
  assert.deepEqual(submissionFor(ANSWERS, first, NOW + 60_000, later), first);
});

test("other additions are another submission with another key: the server would take them for a repetition", () => {
  const first = submissionFor(ANSWERS, null, NOW);
  for (const [changes, additions] of [
    [{ problemOther: "Eier" }, "Gebäude: Haus\nProblem: Eier"],
    [{ propertySubType: "apartment" }, "Gebäude: Wohnung\nProblem: Federn im Lüftungsschacht"],
  ] as const) {
    const second = submissionFor({ ...ANSWERS, ...changes }, first, NOW + 60_000);
    assert.equal(second.additions, additions);
    assert.notEqual(second.key, first.key);
  }
});

test("a stored submission that has lost its declarations is sent with what the visitor sees now", () => {
  const { additions: _, consent: __, ...earlier } = submissionFor(ANSWERS, null, NOW);
  assert.ok(isSubmissionOf(earlier, ANSWERS));
  assert.deepEqual(submissionFor(ANSWERS, earlier, NOW), {
    ...earlier,
    additions: "Gebäude: Haus\nProblem: Federn im Lüftungsschacht",
    consent: CONSENT.version,
  });
});

test("other answers are another submission with another key", () => {
  const first = submissionFor(ANSWERS, null, NOW);
  const second = submissionFor({ ...ANSWERS, postalCode: "20097" }, first, NOW);
  assert.notEqual(second.key, first.key);
});

test("a key that the server may have forgotten is not used again", () => {
  const first = submissionFor(ANSWERS, null, NOW);
  assert.deepEqual(submissionFor(ANSWERS, first, NOW + KEY_LIFETIME_MS), first);
  const later = submissionFor(ANSWERS, first, NOW + KEY_LIFETIME_MS + 1);
  assert.notEqual(later.key, first.key);
  assert.notEqual(later.body, first.body, "nor is the time of the first one");
});

test("a submission is known by what is sent of the answers", () => {
  const submission = submissionFor(ANSWERS, null, NOW);
  assert.ok(isSubmissionOf(submission, { ...ANSWERS, locationOther: "not chosen, so not sent" }));
  assert.equal(isSubmissionOf(submission, { ...ANSWERS, problemOther: "Eier" }), false);
  assert.equal(isSubmissionOf(submission, { ...ANSWERS, firstName: "Anna" }), false);
});

test("without randomUUID, as on plain http, the key still is a random UUID", () => {
  const getRandomValues = crypto.getRandomValues.bind(crypto);
  const key = newIdempotencyKey({ getRandomValues });
  assert.match(key, UUID);
  assert.notEqual(newIdempotencyKey({ getRandomValues }), key);
});
