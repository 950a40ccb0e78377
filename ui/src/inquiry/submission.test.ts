import assert from "node:assert/strict";
import { test } from "node:test";
import { isSubmissionOf, KEY_LIFETIME_MS, submissionFor } from "./submission.ts";
import { ANSWERS } from "../../tests/support/answers.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const SIGNALS = { "Form-Fill-Time": "41250" };
const FIRST = submissionFor(ANSWERS, null, SIGNALS, NOW);

test("the same answers again are the same submission, key, time and all, until the server may have forgotten it", () => {
  const again = (ms: number) => submissionFor(ANSWERS, FIRST, { "Form-Fill-Time": "9" }, NOW + ms);
  assert.deepEqual(again(60_000), FIRST);
  assert.deepEqual(again(KEY_LIFETIME_MS), FIRST);
  const later = again(KEY_LIFETIME_MS + 1);
  assert.notEqual(later.key, FIRST.key);
  assert.notEqual(later.body, FIRST.body, "nor is the time of the first one");
});

test("other answers, additions included, are another submission: the server would take them for a repetition", () => {
  for (const [changes, isSame] of [
    [{ locationOther: "not chosen, so not sent" }, true],
    [{ postalCode: "20097" }, false],
    [{ firstName: "Anna" }, false],
    [{ problemOther: "Eier" }, false],
    [{ propertySubType: "apartment" }, false],
  ] as const) {
    const answers = { ...ANSWERS, ...changes };
    assert.equal(isSubmissionOf(FIRST, answers), isSame, JSON.stringify(changes));
    assert.equal(submissionFor(answers, FIRST, SIGNALS, NOW).key === FIRST.key, isSame, JSON.stringify(changes));
  }
});
