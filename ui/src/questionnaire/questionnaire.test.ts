import assert from "node:assert/strict";
import { test } from "node:test";
import drawings from "../../generated/form-drawings.json" with { type: "json" };
import home from "../../generated/home.json" with { type: "json" };
import { NO_ANSWERS } from "../inquiry/answers.ts";
import { LOCATION_OPTIONS, PROBLEM_OPTIONS, PROPERTY_OPTIONS } from "../inquiry/options.ts";
import { withInput } from "./input-answers.ts";
import { validateStep } from "./step-validation.ts";
import { ANSWERS } from "../../tests/support/answers.ts";

test("choices keep the order of the options", () => {
  const tick = (value: string, checked = true) => ({ name: "problems", value, checked });
  const ticks = [tick("health"), tick("nesting"), tick("noise"), tick("noise"), tick("health", false)];
  assert.deepEqual(ticks.reduce(withInput, NO_ANSWERS).problems, ["nesting", "noise"]);
});

test("the field, but not the toast, says that a postal code belongs to another place", () => {
  for (const [code, isElsewhere] of [
    ["10115", true],
    [" 23000 ", true],
    ["19999", true],
    ["02000", true],
    ["2009", false],
    ["200955", false],
    ["D-20095", false],
    ["", false],
  ] as const) {
    const error = validateStep(1, { ...ANSWERS, postalCode: code });
    assert.match(error?.fields.postalCode ?? "", /^Bitte geben Sie eine gültige Hamburger Postleitzahl ein/, code);
    assert.equal(error?.fields.postalCode?.includes("noch nicht"), isElsewhere, code);
    assert.doesNotMatch(`${error?.title} ${error?.description}`, /noch nicht/, code);
  }
});

test("the home page's tiles are the property types", () => {
  const tiles = home.tiles.map(({ id, title }) => ({ id, label: title }));
  assert.deepEqual(
    tiles,
    PROPERTY_OPTIONS.map(({ id, label }) => ({ id, label })),
  );
});

test("every option has a drawing, and every drawing an option", () => {
  const names = (folder: string, options: readonly { id: string }[]) => options.map(({ id }) => `${folder}/${id}`);
  const wanted = [
    ...names("buildings", PROPERTY_OPTIONS),
    ...names("locations", LOCATION_OPTIONS),
    ...names("problems", PROBLEM_OPTIONS),
  ];
  const drawn = Object.keys(drawings).filter((name) => !name.startsWith("scenes/"));
  assert.deepEqual(drawn.sort(), wanted.sort());
});
