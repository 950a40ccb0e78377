import assert from "node:assert/strict";
import { test } from "node:test";
import drawings from "../../generated/form-drawings.json" with { type: "json" };
import home from "../../generated/home.json" with { type: "json" };
import { NO_ANSWERS } from "../inquiry/answers.ts";
import { LIMITS } from "../inquiry/rules.ts";
import { LOCATION_OPTIONS, OTHER, PROBLEM_OPTIONS, PROPERTY_OPTIONS } from "../inquiry/options.ts";
import { withInput } from "./input-answers.ts";
import { validateAll, validateStep, withoutField } from "./step-validation.ts";
import { readStep } from "./steps.ts";
import { ANSWERS } from "../../tests/support/answers.ts";

test("only an integer from 0 to 4 is a step", () => {
  assert.deepEqual(
    ["0", "3", "4"].map((step) => readStep(new URLSearchParams({ step }))),
    [0, 3, 4],
  );
  for (const step of ["5", "-1", "1.5", "1.0", "01", "2x", "", " 2", "0x1", "NaN"]) {
    assert.equal(readStep(new URLSearchParams({ step })), 0, step);
  }
});

test("a text under Sonstiges that is too long is wrong, if it is asked for", () => {
  const long = "x".repeat(LIMITS.free_text + 1);
  const answers = { ...ANSWERS, problems: [OTHER], problemOther: long, locations: [], locationOther: long };
  const title = "Bitte kürzen Sie Ihre Beschreibung auf höchstens 400 Zeichen";
  assert.deepEqual(validateStep(2, answers), { step: 2, title, fields: { problemOther: title } });
  assert.equal(validateStep(3, answers), null);
  assert.equal(validateStep(3, { ...answers, locations: [OTHER] })?.fields.locationOther, title);
  assert.equal(validateAll(answers)?.step, 2);
});

test("choices keep the order of the options", () => {
  const tick = (value: string, checked = true) => ({ name: "problems", value, checked });
  const ticks = [tick("health"), tick("nesting"), tick("noise"), tick("noise"), tick("health", false)];
  assert.deepEqual(ticks.reduce(withInput, NO_ANSWERS).problems, ["nesting", "noise"]);
});

test("valid answers have no error; steps 2 and 3 never have one", () => {
  assert.equal(validateAll(ANSWERS), null);
  assert.equal(validateStep(2, NO_ANSWERS), null);
  assert.equal(validateStep(3, NO_ANSWERS), null);
});

test("the first invalid step comes first", () => {
  assert.equal(validateAll(NO_ANSWERS)?.title, "Bitte wählen Sie einen Gebäudetyp aus");
  const postalCode = validateAll({ ...ANSWERS, postalCode: "10115", email: "" });
  assert.equal(postalCode?.step, 1);
  assert.equal(postalCode.title, "Bitte geben Sie eine gültige Hamburger Postleitzahl ein");
  assert.match(postalCode.description ?? "", /beginnen mit 20, 21, 22/);
});

test("the code of another place is told so at its field alone", () => {
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

test("the contact step names what is missing before what is wrong, and marks every field until it is changed", () => {
  for (const [changes, title, description, fields] of [
    [{ firstName: " ", phone: "12" }, "Bitte füllen Sie alle Pflichtfelder aus", null, ["firstName", "phone"]],
    [{ email: "a b@c.de", phone: "12" }, "Bitte geben Sie eine gültige E-Mail-Adresse ein", null, ["email", "phone"]],
    [{ phone: "12" }, "Ungültige Telefonnummer", /\+49 123 456789 oder 0123 456789/, ["phone"]],
    [{ lastName: "x".repeat(101) }, "Ungültiger Nachname", /höchstens 100 Zeichen/, ["lastName"]],
  ] as const) {
    const error = validateStep(4, { ...ANSWERS, ...changes });
    assert.equal(error?.title, title);
    if (description) assert.match(error.description ?? "", description);
    else assert.equal(error.description, undefined);
    assert.deepEqual(Object.keys(error.fields), fields);
    const [first, ...others] = fields;
    assert.deepEqual(Object.keys(withoutField(error, first)?.fields ?? {}), others);
  }
});

test("the home page's tiles are the property types", () => {
  const tiles = home.tiles.map(({ id, title }) => ({ id, label: title }));
  assert.deepEqual(
    tiles,
    PROPERTY_OPTIONS.map(({ id, label }) => ({ id, label })),
  );
});

test("every option has its drawing, and every drawing its option", () => {
  const names = (folder: string, options: readonly { id: string }[]) => options.map(({ id }) => `${folder}/${id}`);
  const wanted = [
    ...names("buildings", PROPERTY_OPTIONS),
    ...names("locations", LOCATION_OPTIONS),
    ...names("problems", PROBLEM_OPTIONS),
  ];
  const drawn = Object.keys(drawings).filter((name) => !name.startsWith("scenes/"));
  assert.deepEqual(drawn.sort(), wanted.sort());
});
