import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_ANSWERS } from "../inquiry/answers.ts";
import { submissionFor } from "../inquiry/submission.ts";
import { clearDraft, loadDraft, saveDraft } from "./draft.ts";
import { ANSWERS } from "../../tests/support/answers.ts";
import { brokenStorage, MemoryStorage } from "../../tests/support/memory-storage.ts";

const EMPTY = { answers: NO_ANSWERS, submission: null };

test("a draft comes back as it was kept, until it is cleared", () => {
  const storage = new MemoryStorage();
  const botSignals = { fillTime: 41_250, isTrapFilled: true };
  const draft = { answers: ANSWERS, submission: submissionFor(ANSWERS, null, 0, botSignals) };
  saveDraft(storage, draft);
  assert.deepEqual(loadDraft(storage), draft);
  clearDraft(storage);
  assert.deepEqual(loadDraft(storage), EMPTY);
});

test("a bare type survives, too", () => {
  const storage = new MemoryStorage();
  const draft = { answers: { ...ANSWERS, propertySubType: "" }, submission: null };
  saveDraft(storage, draft);
  assert.deepEqual(loadDraft(storage), draft);
});

test("what is broken or foreign is left out", () => {
  const storage = new MemoryStorage();
  const load = (text: string) => {
    storage.setItem("questionnaire", text);
    return loadDraft(storage);
  };
  for (const text of ["", "{", "null", "1", "[]", '{"answers":null}']) {
    assert.deepEqual(load(text), EMPTY, text);
  }
  const foreign = {
    propertyType: "castle",
    propertySubType: "house",
    problems: ["x", "noise"],
    locations: "roof",
    email: 1,
  };
  assert.deepEqual(load(JSON.stringify({ answers: foreign, submission: { key: 1 } })), {
    ...EMPTY,
    answers: { ...NO_ANSWERS, problems: ["noise"] },
  });
});

test("without storage the draft is empty and nothing throws", () => {
  for (const storage of [null, brokenStorage()]) {
    saveDraft(storage, { answers: ANSWERS, submission: null });
    assert.deepEqual(loadDraft(storage), EMPTY);
    clearDraft(storage);
  }
});
