import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_ANSWERS, type Answers } from "../../src/inquiry/answers.ts";
import { toRecord } from "../../src/inquiry/record.ts";
import { validateAll } from "../../src/questionnaire/step-validation.ts";
import { answersFrom } from "./support/odd-answers.ts";
import { startSite } from "./support/site.ts";
import { useSite } from "./support/stage.ts";

/** Cases of a normal run. TAUBENABWEHR_FUZZ_SECONDS (scripts/fuzz) adds more, TAUBENABWEHR_FUZZ_SEED selects others. */
const CASES = 600;
/** Concurrent requests. */
const AT_ONCE = 16;
const seconds = Number(process.env.TAUBENABWEHR_FUZZ_SECONDS ?? 0);
const seed = Number(process.env.TAUBENABWEHR_FUZZ_SEED ?? 0);

const stage = useSite(() => startSite("--demo"));

test("form and server come to the same verdict on the same answers, in the same words", async () => {
  const start = Date.now();
  const generator = answersFrom(seed);
  let cases = 0;
  let accepted = 0;
  while (cases < CASES || Date.now() - start < seconds * 1000) {
    const batch = Array.from({ length: AT_ONCE }, () => generator.next());
    const verdicts = await Promise.all(batch.map(compare));
    accepted += verdicts.filter((isAccepted) => isAccepted).length;
    cases += batch.length;
  }
  console.log(`agreement: ${cases} cases in ${Date.now() - start} ms, ${accepted} accepted, from seed ${seed}`);
  // If nearly all cases had the same verdict, the comparison would prove little.
  assert.ok(accepted > cases / 20 && accepted < cases / 2, `${accepted} of ${cases} were accepted`);
});

/** Returns whether both sides accept the answers. Fails if they disagree. */
async function compare(answers: Answers): Promise<boolean> {
  const error = validateAll(answers);
  const shown = `seed ${seed}: ${JSON.stringify(answers)}`;
  // As the form sends them, and as they were typed: another client gets the same verdict.
  const sent = toRecord(answers, new Date().toISOString());
  const typed = {
    ...sent,
    postal_code: answers.postalCode,
    first_name: answers.firstName,
    last_name: answers.lastName,
    email_address: answers.email,
    phone_number: answers.phone,
  };
  for (const record of [sent, typed]) {
    const response = await fetch(`${stage.site.url}/rest/v1/inquiries`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify([record]),
    });
    const text = await response.text();
    if (error === null) {
      assert.equal(response.status, 201, `${shown}: only the server refuses: ${text}`);
      continue;
    }
    assert.equal(response.status, 400, `${shown}: only the form refuses: ${error.title}`);
    const refusal = JSON.parse(text) as { code: string; message: string; details: string | null };
    // Half a surrogate pair is not valid text, so the server cannot parse the record at all.
    if (refusal.code === "invalid_json") {
      assert.match(JSON.stringify(record), /\\ud[89a-f]/, shown);
      continue;
    }
    // The toast ends its explanation with a full stop.
    const explained = error.description?.replace(/\.$/, "") ?? null;
    assert.deepEqual([refusal.message, refusal.details], [error.title, explained], shown);
  }
  return error === null;
}

test("the comparison covers every answer", () => {
  assert.deepEqual(Object.keys(answersFrom(0).next()).sort(), Object.keys(NO_ANSWERS).sort());
});
