import assert from "node:assert/strict";
import { test } from "node:test";
import cases from "../../../tests/cases/additions.json" with { type: "json" };
import { additionsOf } from "./additions.ts";
import { NO_ANSWERS } from "./answers.ts";
import { OTHER, PROPERTY_OPTIONS } from "./options.ts";
import { LIMITS } from "./rules.ts";

test("answers become the words that the server makes of them, too", () => {
  for (const { property, problem, location, additions, why } of cases) {
    const option = PROPERTY_OPTIONS.find(({ id }) => id === property);
    const answers = {
      ...NO_ANSWERS,
      propertyType: option?.type ?? "residential",
      propertySubType: option?.subtype ?? "",
      problems: problem === null ? [] : [OTHER],
      problemOther: problem ?? "",
      locations: location === null ? [] : [OTHER],
      locationOther: location ?? "",
    };
    assert.equal(additionsOf(answers), additions, why);
  }
});

/** The server's limit of `Angaben ergänzen`, in characters. */
const CONTRACT_LIMIT = 2_000;
/** What nginx and Apache take as one line of a request's head, in bytes. */
const LINE_LIMIT = 8_192;

const other = { problems: [OTHER], locations: [OTHER] };

test("what cannot be written in a header does not get into it", () => {
  const answers = { ...NO_ANSWERS, ...other, problemOther: "a\u0000b\r\nc\ud800d" };
  assert.equal(additionsOf(answers), "Problem: a b  c d");
  const split = { ...NO_ANSWERS, ...other, problemOther: `${"x".repeat(LIMITS.free_text - 1)}🐦` };
  assert.equal(additionsOf(split), `Problem: ${"x".repeat(LIMITS.free_text - 1)}`);
});

test("the longest texts fit into the server's limit and into a line that proxies let pass", () => {
  for (const character of ["x", "ü", "€", "🐦"]) {
    const text = character.repeat(2 * LIMITS.free_text);
    // Each text of the form, so that a later one counts, too.
    const texts = Object.entries(NO_ANSWERS).filter(([, answer]) => typeof answer === "string");
    const longTexts = Object.fromEntries(texts.map(([name]) => [name, text]));
    for (const { type, subtype } of PROPERTY_OPTIONS) {
      const answers = {
        ...other,
        ...longTexts,
        propertyType: type,
        propertySubType: subtype,
      };
      const additions = additionsOf({ ...NO_ANSWERS, ...answers });
      assert.ok([...additions].length <= CONTRACT_LIMIT);
      assert.ok(`Form-Additions: ${encodeURIComponent(additions)}\r\n`.length <= LINE_LIMIT, character);
    }
  }
});
