import assert from "node:assert/strict";
import { test } from "node:test";
import { alert, answerAll, CONTACT, fillContact, onward, progress, send } from "./support/questionnaire.ts";
import { started } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

test("steps 0 and 1 report errors at the field, in a toast and in the title", async () => {
  const { page } = await stage.visit();
  await page.goto("/fragebogen");
  await onward(page).click();
  await alert(page, "Bitte wählen Sie einen Gebäudetyp aus").waitFor();
  assert.match(await page.title(), /^Fehler: /);
  assert.equal(await page.getByRole("radiogroup").getAttribute("aria-invalid"), "true");
  await page.getByRole("radio", { name: "Haus" }).and(page.locator(":focus")).waitFor();

  await page.goto("/fragebogen?propertyType=industrial&step=1");
  await started(page);
  for (const wrong of ["", "10115", "2009"]) {
    await page.getByLabel("Postleitzahl").fill(wrong);
    assert.equal(await page.getByLabel("Postleitzahl").getAttribute("aria-invalid"), null, "not while typing");
    await onward(page).click();
    await alert(page, "Bitte geben Sie eine gültige Hamburger Postleitzahl ein").waitFor();
    await alert(page, "Gültige Postleitzahlen für Hamburg und Umgebung beginnen mit 20, 21, 22.").waitFor();
    await page.locator("input[aria-invalid=true]:focus").waitFor();
    assert.equal(await page.getByRole("alert").count(), 1);
  }
  const description = await page.getByLabel("Postleitzahl").getAttribute("aria-describedby");
  assert.match(description ?? "", /error/);
  await page.getByLabel("Postleitzahl").fill("20095");
  await onward(page).click();
  await progress(page, 3).waitFor();
  assert.doesNotMatch(await page.title(), /Fehler/);
  assert.equal(await page.getByRole("alert").count(), 0);
});

test("the contact step names missing and invalid fields", async () => {
  const { page } = await stage.visit();
  await answerAll(page);
  const wrong: [Partial<typeof CONTACT>, string[], string][] = [
    [{ Vorname: "", Telefonnummer: "12" }, ["Bitte füllen Sie alle Pflichtfelder aus"], "Vorname"],
    [{ Telefonnummer: "  " }, ["Bitte füllen Sie alle Pflichtfelder aus"], "Telefonnummer"],
    [
      { "E-Mail-Adresse": "aenne@example", Telefonnummer: "12" },
      ["Bitte geben Sie eine gültige E-Mail-Adresse ein"],
      "E-Mail-Adresse",
    ],
    [
      { Telefonnummer: "+43 1 1234567" },
      [
        "Ungültige Telefonnummer",
        "Bitte geben Sie eine gültige deutsche Telefonnummer ein (z.B. +49 123 456789 oder 0123 456789)",
      ],
      "Telefonnummer",
    ],
    [{ Nachname: "x".repeat(101) }, ["Ungültiger Nachname"], "Nachname"],
  ];
  for (const [changes, texts, field] of wrong) {
    await fillContact(page, changes);
    await send(page).click();
    for (const text of texts) await alert(page, text).waitFor();
    await page.getByLabel(field, { exact: true }).and(page.locator("[aria-invalid=true]:focus")).waitFor();
  }
});

test("an error about the mail address breaks no word after its hyphen, neither in the toast nor at the field", async () => {
  const message = "Bitte geben Sie eine gültige E-Mail-Adresse ein";
  const { page } = await stage.visit();
  await answerAll(page);
  await fillContact(page, { "E-Mail-Adresse": "aenne@example" });
  await send(page).click();
  await alert(page, message).waitFor();
  assert.ok((await page.getByText(message, { exact: true }).count()) >= 2, "the words are as they were");
  for (let width = 320; width <= 440; width += 6) {
    await page.setViewportSize({ width, height: 800 });
    const lines = await page.getByText("E-Mail-Adresse", { exact: true }).evaluateAll((words) =>
      words.map((word) => {
        const range = document.createRange();
        range.selectNodeContents(word);
        return range.getClientRects().length;
      }),
    );
    assert.deepEqual(lines, [1, 1, 1], `label, field and toast at ${width} px`);
  }
});

test("a link may open the last step; Absenden then leads to the first step with an error", async () => {
  const { page } = await stage.visit();
  await page.goto("/fragebogen?step=4");
  await started(page);
  await fillContact(page);
  await send(page).click();
  await alert(page, "Bitte wählen Sie einen Gebäudetyp aus").waitFor();
  await progress(page, 1).waitFor();
  await page.getByRole("radio", { name: "Haus" }).click();
  await progress(page, 2).waitFor();
});

for (const [width, height] of [
  [320, 568],
  [390, 844],
  [1440, 900],
] as const) {
  test(`at ${width} pixels no toast covers the question, a field or the focus`, async () => {
    const { page } = await stage.visit({ viewport: { width, height } });
    const isClear = async () => {
      // Focusing the field scrolls the page, and happens only after the toast appears.
      await page.locator(":is([aria-invalid=true], [aria-invalid=true] *):focus").waitFor();
      const covered = await page.evaluate(() => {
        const toast = document.querySelector(".toast")?.getBoundingClientRect();
        if (!toast) return ["there is no toast"];
        const seen = [".question-legend, .questionnaire-heading", "[aria-invalid=true].field-input", ":focus"];
        return seen.filter((selector) =>
          [...document.querySelectorAll(selector)].some((element) => {
            const { top, bottom, left, right } = element.getBoundingClientRect();
            return top < toast.bottom && bottom > toast.top && left < toast.right && right > toast.left;
          }),
        );
      });
      assert.deepEqual(covered, []);
    };
    await page.goto("/fragebogen");
    await progress(page, 1).waitFor();
    await onward(page).click();
    await alert(page, "Gebäudetyp").waitFor();
    await isClear();
    await page.goto("/fragebogen?propertyType=industrial&step=1");
    await progress(page, 2).waitFor();
    await page.getByLabel("Postleitzahl").fill("99999");
    await onward(page).click();
    await alert(page, "Postleitzahl").waitFor();
    await isClear();
    const error = page.locator(".field-error");
    await error.filter({ hasText: "gültige Hamburger Postleitzahl ein" }).waitFor();
    await error.filter({ hasText: "beginnen mit 20, 21, 22" }).waitFor();
    await page.getByLabel("Postleitzahl").fill("20095");
    await onward(page).click();
    for (const step of [3, 4]) {
      await progress(page, step).waitFor();
      await onward(page).click();
    }
    await progress(page, 5).waitFor();
    for (const changes of [{ Vorname: "" }, { Telefonnummer: "12" }]) {
      await fillContact(page, changes);
      await send(page).click();
      await isClear();
    }
  });
}
