import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_ANSWERS } from "../inquiry/answers.ts";
import { submissionFor } from "../inquiry/submission.ts";
import { clearDraft, loadDraft, saveDraft } from "./draft.ts";
import { ANSWERS } from "../../tests/support/answers.ts";
import { brokenStorage, MemoryStorage, withStorages } from "../../tests/support/memory-storage.ts";

const EMPTY = { answers: NO_ANSWERS, submission: null };

test("a draft comes back as it was kept, until it is cleared", () => {
  withStorages();
  for (const draft of [
    { answers: ANSWERS, submission: submissionFor(ANSWERS, null, { "Form-Fill-Time": "1" }) },
    { answers: { ...ANSWERS, propertySubType: "" }, submission: null },
  ]) {
    saveDraft(draft);
    assert.deepEqual(loadDraft(), draft);
  }
  clearDraft();
  assert.deepEqual(loadDraft(), EMPTY);
});

test("what is broken or foreign is left out, and without storage nothing throws", () => {
  const session = new MemoryStorage();
  withStorages(undefined, session);
  const foreign = {
    propertyType: "castle",
    propertySubType: "house",
    problems: ["x", "noise"],
    locations: "roof",
    email: 1,
  };
  for (const [text, answers] of [
    ...["", "{", "null", "1", "[]", '{"answers":null}'].map((text) => [text, NO_ANSWERS] as const),
    [JSON.stringify({ answers: foreign, submission: { key: 1 } }), { ...NO_ANSWERS, problems: ["noise"] }],
  ] as const) {
    session.setItem("questionnaire", text);
    assert.deepEqual(loadDraft(), { ...EMPTY, answers }, text);
  }
  withStorages(undefined, brokenStorage());
  saveDraft({ answers: ANSWERS, submission: null });
  assert.deepEqual(loadDraft(), EMPTY);
  clearDraft();
});
