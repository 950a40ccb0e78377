import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_ANSWERS, type Answers } from "../../src/inquiry/answers.ts";
import { toRecord } from "../../src/inquiry/record.ts";
import { findProperty } from "../../src/inquiry/options.ts";
import { validateAll, validateStep } from "../../src/questionnaire/step-validation.ts";
import { STEPS } from "../../src/questionnaire/steps.ts";
import { answersFrom } from "./support/odd-answers.ts";
import { startSite } from "./support/site.ts";
import { useSite } from "./support/stage.ts";

/** Cases of a normal run. TAUBENABWEHR_FUZZ_SECONDS (scripts/fuzz) adds more; TAUBENABWEHR_FUZZ_SEED picks others. */
const CASES = 300;
/** Concurrent requests. */
const AT_ONCE = 16;
const seconds = Number(process.env.TAUBENABWEHR_FUZZ_SECONDS ?? 0);
const seed = Number(process.env.TAUBENABWEHR_FUZZ_SEED ?? 0);

const stage = useSite(() => startSite("--demo"));

test("form and server reach the same verdict on the same answers, in the same words", async () => {
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
  // The free texts are not part of the record.
  const error = validateAll({ ...answers, problemOther: "", locationOther: "" });
  const shown = `seed ${seed}: ${JSON.stringify(answers)}`;
  // Both as the form sends them and as they were typed: other clients must get the same verdict.
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
    // In the toast, the explanation ends with a full stop.
    const explained = error.description?.replace(/\.$/, "") ?? null;
    assert.deepEqual([refusal.message, refusal.details], [error.title, explained], shown);
  }
  await comparePlain(answers, shown);
  return error === null;
}

/** Fails if the form without JavaScript gets a different verdict, or lacks a message that the other form shows. */
async function comparePlain(answers: Answers, shown: string): Promise<void> {
  const { propertyType, propertySubType } = answers;
  const body = new URLSearchParams({
    propertyType: findProperty(propertyType, propertySubType)?.id ?? propertyType,
    postalCode: answers.postalCode,
    problemOther: answers.problemOther,
    locationOther: answers.locationOther,
    firstName: answers.firstName,
    lastName: answers.lastName,
    email: answers.email,
    phone: answers.phone,
  });
  for (const id of answers.problems) body.append("problems", id);
  for (const id of answers.locations) body.append("locations", id);
  const response = await fetch(`${stage.site.url}/fragebogen`, { method: "POST", body, redirect: "manual" });
  const html = await response.text();
  // A form cannot send half a surrogate pair: it is replaced by U+FFFD.
  const whole = (value: unknown) => (typeof value === "string" ? value.replace(/\p{Cs}/gu, "\ufffd") : value);
  const sent = Object.fromEntries(Object.entries(answers).map(([name, value]) => [name, whole(value)]));
  const texts = STEPS.flatMap((step) => Object.values(validateStep(step, sent as unknown as Answers)?.fields ?? {}));
  const summary = [...html.matchAll(/<li>[^<]*<a [^>]*href="#[a-z-]+">([^<]*)<\/a>/g)].map(([, text = ""]) => text);
  assert.deepEqual(
    [response.status, summary.length],
    [texts.length === 0 ? 303 : 400, texts.length],
    `${shown} (without JavaScript)`,
  );
  // Toasts disappear, so the text at the field says more than the summary.
  for (const [index, text] of texts.entries()) assert.ok(text.includes(summary[index] ?? "?"), `${shown}: ${text}`);
}

test("the comparison covers every answer", () => {
  assert.deepEqual(Object.keys(answersFrom(0).next()).sort(), Object.keys(NO_ANSWERS).sort());
});
