import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isEmail, isName, isPhone, isPostalCode } from "./validation.ts";

interface Case {
  readonly input: string;
  readonly valid: boolean;
  readonly why: string;
}

/** The cases that the server is tested against, too. */
const CASES_FILE = new URL("../../../tests/cases/validation.json", import.meta.url);
const cases = JSON.parse(readFileSync(CASES_FILE, "utf8")) as Record<string, Case[]>;

const rules: Record<string, (input: string) => boolean> = {
  postal_code: isPostalCode,
  phone: isPhone,
  email: isEmail,
  name: isName,
};

test("every kind of case has a rule", () => {
  assert.deepEqual(Object.keys(cases).sort(), Object.keys(rules).sort());
});

for (const [name, isValid] of Object.entries(rules)) {
  test(`${name}: all shared cases`, () => {
    for (const { input, valid, why } of cases[name] ?? []) {
      assert.equal(isValid(input), valid, `${JSON.stringify(input)}: ${why}`);
    }
  });
}
