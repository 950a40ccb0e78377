import assert from "node:assert/strict";
import { test } from "node:test";
import { alert, answerAll, back, CONTACT, heading, onward, progress, send, sendOff } from "./support/questionnaire.ts";
import { started } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

/** Permissions for the clipboard. */
const CLIPBOARD = { permissions: ["clipboard-read", "clipboard-write"] };

test("a visitor with only a keyboard gets to the thank-you page", async () => {
  const { page, complaints } = await stage.visit();
  const before = (await stage.site.stored()).length;
  const press = (...keys: string[]) =>
    keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
  await page.goto("/fragebogen");
  await progress(page, 1).waitFor();
  await page.getByRole("radio", { name: "Haus" }).focus();
  // Arrow keys only change the choice; Enter moves on.
  await press("ArrowDown", "ArrowDown");
  assert.ok(await page.getByRole("radio", { name: "Büro" }).isChecked());
  assert.ok(await progress(page, 1).isVisible());
  await press("Enter");
  await progress(page, 2).waitFor();
  const headed = () => heading(page, /./).and(page.locator(":focus")).waitFor();
  await headed();
  await press("Tab");
  await page.keyboard.type("22999");
  await press("Enter");
  await progress(page, 3).waitFor();
  await headed();
  await press("Tab", "Space", "Enter");
  await progress(page, 4).waitFor();
  await headed();
  await press("Enter");
  assert.ok(await progress(page, 4).isVisible(), "Enter on a heading does nothing");
  await press("Tab", "Enter");
  await progress(page, 5).waitFor();
  await headed();
  for (const value of Object.values(CONTACT)) {
    await press("Tab");
    await page.keyboard.type(value);
  }
  await press("Enter", "Enter");
  await page.waitForURL("/danke");
  const [stored, ...more] = (await stage.site.stored()).slice(before);
  assert.deepEqual(more, []);
  assert.equal(stored?.property_type, "commercial");
  assert.equal(stored?.types_of_problems, "nesting");
  assert.equal(stored?.problem_locations, "");
  assert.deepEqual(complaints, []);
});

test("Space on a tile selects it and moves on after 300 ms", async () => {
  const { page } = await stage.visit();
  await page.clock.install();
  await page.goto("/fragebogen");
  await progress(page, 1).waitFor();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole("radio", { name: "Haus" }).focus();
  await page.keyboard.press("Space");
  await page.clock.runFor(299);
  assert.ok(await progress(page, 1).isVisible());
  await page.clock.runFor(1);
  await progress(page, 2).waitFor();
});

test("the address preselects answers", async () => {
  const { page } = await stage.visit();
  const chosen = async (query: string) => {
    await page.goto("/fragebogen");
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(`/fragebogen?step=4&${query}`);
    await progress(page, 5).waitFor();
    return page.locator(".summary-text").allTextContents();
  };
  const nothing = "Keine Angabe";
  assert.deepEqual(await chosen("propertyType=commercial-restaurant"), ["Gastronomie", nothing, nothing, nothing]);
  assert.deepEqual(await chosen("propertyType=multi&problem=balkon"), ["Wohngebäude", nothing, nothing, "Balkon"]);
  assert.deepEqual(await chosen("propertyType=other&problem=dach"), [nothing, nothing, nothing, "Dach"]);
  assert.deepEqual(await chosen("problem=gewerbe"), ["Gewerbe", nothing, nothing, nothing]);
  for (const step of ["5", "-1", "1.0", "x"]) {
    await page.goto(`/fragebogen?step=${step}`);
    await progress(page, 1).waitFor();
  }
});

test("answers survive a reload and the browser's back button, in this tab only", async () => {
  const { context, page } = await stage.visit();
  await answerAll(page);
  await page.reload();
  await started(page);
  assert.equal(await page.getByLabel("Vorname").inputValue(), CONTACT.Vorname);
  await page.goBack();
  await progress(page, 4).waitFor();
  assert.ok(await page.getByLabel("Balkon").isChecked());
  await back(page).click();
  await progress(page, 3).waitFor();
  await page.goBack();
  await progress(page, 2).waitFor();
  assert.equal(await page.getByLabel("Postleitzahl").inputValue(), "20095");
  // The link that preselected an answer must not undo a later change.
  await back(page).click();
  await page.getByRole("radio", { name: "Industrie" }).click();
  await progress(page, 2).waitFor();
  await page.reload();
  await back(page).click();
  await progress(page, 1).waitFor();
  assert.ok(await page.getByRole("radio", { name: "Industrie" }).isChecked());
  const other = await context.newPage();
  await other.goto("/fragebogen?step=1");
  await started(other);
  assert.equal(await other.getByLabel("Postleitzahl").inputValue(), "");
});

test("on a phone the last step ends close to its fields, and its summary leads to a question and back", async () => {
  const { page } = await stage.visit({ viewport: { width: 390, height: 844 } });
  await answerAll(page);
  const [field, button] = [await page.getByLabel("Telefonnummer").boundingBox(), await send(page).boundingBox()];
  assert.ok(field && button);
  const way = button.y + button.height - (field.y + field.height);
  assert.ok(way > 0 && way <= 400, `${way} px`);
  const [consent, note] = [page.locator("#einwilligung"), page.getByText("Vermittelt werden")];
  const gap = button.y - ((await consent.boundingBox())?.y ?? 0) - ((await consent.boundingBox())?.height ?? 0);
  assert.ok(gap >= 0 && gap < 40, `${gap} px between consent and button`);
  assert.ok(!(await note.isVisible()));
  await page.getByText("Wer Ihre Angaben erhält").click();
  assert.ok(await note.isVisible());
  const change = page.getByRole("link", { name: "Ort ändern" });
  assert.equal(await change.count(), 0);
  await page.getByText("Haus · 20095 · Nisten · Balkon").click();
  await change.click();
  await page.getByLabel("Postleitzahl").fill("22999");
  await onward(page).click();
  await progress(page, 5).waitFor();
  await page.getByText("Haus · 22999 · Nisten · Balkon").waitFor();
});

test("pasting a postal code trims white space, and can be undone like any other paste", async () => {
  const { page } = await stage.visit(CLIPBOARD);
  await page.goto("/fragebogen?step=1");
  await progress(page, 2).waitFor();
  const field = page.getByLabel("Postleitzahl");
  await field.focus();
  for (const text of [" 20095", "\u00a020095\n", "\t 20095 "]) {
    await page.evaluate((text) => navigator.clipboard.writeText(text), text);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("ControlOrMeta+v");
    assert.equal(await field.inputValue(), "20095", JSON.stringify(text));
  }
  await page.evaluate(() => navigator.clipboard.writeText(" 22765"));
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("ControlOrMeta+v");
  assert.equal(await field.inputValue(), "22765");
  await page.keyboard.press("ControlOrMeta+z");
  assert.equal(await field.inputValue(), "20095");
  await onward(page).click();
  await progress(page, 3).waitFor();
});

test("a complete postal code immediately shows its place", async () => {
  const { page } = await stage.visit();
  await page.goto("/fragebogen?step=1");
  await progress(page, 2).waitFor();
  const place = page.getByText("22765 Hamburg-Ottensen");
  await page.getByLabel("Postleitzahl").fill("2276");
  assert.equal(await place.count(), 0);
  await page.getByLabel("Postleitzahl").fill("22765");
  await place.waitFor();
});

test("a description that is too long is kept, and its field names the limit", async () => {
  const { page } = await stage.visit(CLIPBOARD);
  for (const [step, tooLong] of [
    [2, "x".repeat(401)],
    [3, `${"🐦".repeat(200)}x`],
  ] as const) {
    await page.goto(`/fragebogen?step=${step}`);
    await progress(page, step + 1).waitFor();
    await page.getByLabel("Sonstiges").check();
    const field = page.getByLabel("Bitte beschreiben");
    assert.equal(await field.getAttribute("rows"), "3");
    assert.match((await field.getAttribute("aria-describedby")) ?? "", /hint/);
    await page.getByText("höchstens 400 Zeichen").waitFor();
    await page.evaluate((text) => navigator.clipboard.writeText(text), tooLong);
    await field.focus();
    await page.keyboard.press("ControlOrMeta+v");
    assert.equal(await field.inputValue(), tooLong);
    await onward(page).click();
    const complaint = "Bitte kürzen Sie Ihre Beschreibung auf höchstens 400 Zeichen";
    await alert(page, complaint).waitFor();
    await page.locator(".field-error").filter({ hasText: complaint }).waitFor();
    await field.and(page.locator(":focus[aria-invalid=true]")).waitFor();
    assert.equal(await field.inputValue(), tooLong);
    await page.keyboard.press("End");
    await page.keyboard.press("Backspace");
    await onward(page).click();
    await progress(page, step + 2).waitFor();
  }
});

test("values filled in without an event are sent, or kept if they are invalid", async () => {
  const { page } = await stage.visit();
  const fill = (label: string, value: string) =>
    page.getByLabel(label, { exact: true }).evaluate((field: HTMLInputElement, value) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, value);
    }, value);
  await page.goto("/fragebogen?propertyType=residential-house&step=1");
  await progress(page, 2).waitFor();
  await fill("Postleitzahl", "99999");
  await onward(page).click();
  await page.locator("[aria-invalid=true]").waitFor();
  assert.equal(await page.getByLabel("Postleitzahl").inputValue(), "99999");
  await fill("Postleitzahl", "22087");
  await onward(page).click();
  await progress(page, 3).waitFor();
  await page.goto("/fragebogen?step=4");
  await progress(page, 5).waitFor();
  const contact = { ...CONTACT, "E-Mail-Adresse": "tresor@example.de" };
  for (const [label, value] of Object.entries(contact)) await fill(label, value);
  await sendOff(page);
  const stored = (await stage.site.stored("--include-suspected")).find(
    (one) => one.email_address === "tresor@example.de",
  );
  assert.deepEqual([stored?.postal_code, stored?.first_name], ["22087", CONTACT.Vorname]);
});
