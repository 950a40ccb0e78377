import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { DESKTOP, PHONE } from "./support/browser.ts";
import { holdBack } from "./support/deferred.ts";
import { fillContact, heading, progress, send, sendOff } from "./support/questionnaire.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

const SCRIPTS = "**/assets/*.js";

const visitWithoutScripts = (options = PHONE) => stage.visit({ ...options, javaScriptEnabled: false });

/** Fills in the whole plain form. */
async function answerPlainForm(page: Page): Promise<void> {
  await page.getByLabel("Postleitzahl").fill("20095");
  await page.getByLabel("Nisten").check();
  await page.locator('[name="problems"][value="other"]').check();
  await page.locator('[name="problemOther"]').fill("Federn im Schacht");
  await page.getByLabel("Balkon", { exact: true }).check();
  await fillContact(page);
}

/** Waits until React has taken over the form. */
const takenOver = (page: Page) => page.locator("[data-mode=live]").waitFor({ state: "attached" });

/** Opens the questionnaire with its script held back. The returned function releases the script. */
async function openWaiting(page: Page, path: string): Promise<() => void> {
  const arrive = await holdBack(page, SCRIPTS);
  await page.goto(path, { waitUntil: "commit" });
  await page.locator("[data-mode=step]").waitFor();
  return arrive;
}

test("without JavaScript a visitor gets from a tile to the private page", async () => {
  const { page } = await visitWithoutScripts();
  await page.goto("/");
  await page.getByRole("main").getByRole("link", { name: "Haus" }).click();
  await page.waitForURL("/fragebogen?propertyType=residential-house&step=1");
  assert.ok(await page.getByLabel("Haus").isChecked());
  await answerPlainForm(page);
  await send(page).click();
  await page.waitForURL(/\/danke/);
  await heading(page, /Vielen Dank/).waitFor();
  const reference = await page.locator(".thanks-number").innerText();
  await page.getByRole("link", { name: "Ihre Anfrage ansehen" }).click();
  await page.waitForURL(/\/anfrage\//);
  assert.equal(await page.getByLabel("Angaben ergänzen").inputValue(), "Gebäude: Haus\nProblem: Federn im Schacht");
  const [stored] = await stage.site.stored("--include-suspected");
  assert.ok(stored?.id?.endsWith(reference), reference);
  assert.equal(stored?.types_of_problems, "nesting,other");
});

test("without JavaScript every answer survives an error, which leads to the field", async () => {
  const { page } = await visitWithoutScripts(DESKTOP);
  await page.goto("/fragebogen?propertyType=residential");
  await answerPlainForm(page);
  await fillContact(page, { Telefonnummer: "12", Nachname: "<b>Groß" });
  await send(page).click();
  await page.locator(".error-summary:focus").filter({ hasText: "Bitte prüfen Sie Ihre Angaben" }).waitFor();
  assert.match(await page.title(), /^Fehler: /);
  assert.equal(await page.getByLabel("Postleitzahl").inputValue(), "20095");
  assert.equal(await page.getByLabel("Nachname").inputValue(), "<b>Groß");
  assert.equal(await page.locator('[name="problemOther"]').inputValue(), "Federn im Schacht");
  assert.ok(await page.getByText("Vorausgewählt: Wohngebäude.").isVisible());
  const phone = page.getByLabel("Telefonnummer");
  assert.equal(await phone.getAttribute("aria-invalid"), "true");
  await page.getByRole("link", { name: /gültige deutsche Telefonnummer/ }).click();
  await page.waitForURL(/#telefon$/);
  await phone.fill("040 1234567");
  await send(page).click();
  await page.waitForURL(/\/danke/);
});

test("before the script loads, the form leads through the questions, back and forth, to the private page", async () => {
  const { page } = await stage.visit(PHONE);
  await openWaiting(page, "/fragebogen?propertyType=residential");
  const question = page.locator("fieldset").filter({ visible: true });
  const asks = (title: string) => question.filter({ hasText: title }).waitFor();
  await page.getByText("Vorausgewählt: Wohngebäude.").waitFor();
  await page.getByRole("radio", { name: "Büro" }).click();
  await asks("Wo befindet sich das Gebäude?");
  await page.getByRole("textbox", { name: "Postleitzahl" }).fill(" 20095");
  await page.keyboard.press("Enter");
  await asks("Welche Probleme haben Sie mit Tauben?");
  assert.equal(await question.count(), 1);
  await page.goBack({ waitUntil: "commit" });
  await asks("Wo befindet sich das Gebäude?");
  await page.goForward({ waitUntil: "commit" });
  await asks("Welche Probleme haben Sie mit Tauben?");
  await page.getByRole("button", { name: "Zurück", exact: true }).click();
  await asks("Wo befindet sich das Gebäude?");
  await page.getByRole("button", { name: "Weiter" }).click();
  await page.getByRole("checkbox", { name: "Lärm" }).check();
  await page.getByRole("button", { name: "Weiter" }).click();
  await asks("Wo treten die Probleme auf?");
  await page.getByRole("button", { name: "Weiter" }).click();
  await fillContact(page, { Nachname: "Spät" });
  await send(page).click();
  await page.waitForURL(/\/danke/, { waitUntil: "commit" });
  const row = (await stage.site.stored("--include-suspected")).find(({ last_name: name }) => name === "Spät");
  assert.deepEqual([row?.property_type, row?.postal_code, row?.types_of_problems], ["commercial", "20095", "noise"]);
});

test("a script that loads late continues where the visitor is, with what was chosen so far", async () => {
  const { page, complaints } = await stage.visit(PHONE);
  const arrive = await openWaiting(page, "/fragebogen?propertyType=residential-house&step=1&problem=dach");
  await page.getByRole("textbox", { name: "Postleitzahl" }).fill("20095");
  await page.getByRole("button", { name: "Weiter" }).click();
  await page.getByRole("checkbox", { name: "Lärm" }).check();
  arrive();
  await progress(page, 3).waitFor();
  assert.ok(await page.getByLabel("Lärm").and(page.locator(":focus")).isChecked());
  await page.getByRole("button", { name: "Zurück", exact: true }).click();
  await progress(page, 2).waitFor();
  assert.equal(await page.getByLabel("Postleitzahl").inputValue(), "20095");
  await page.goto("/fragebogen?step=4");
  await page.locator(".summary-text").first().waitFor({ state: "attached" });
  assert.deepEqual(await page.locator(".summary-text").allTextContents(), ["Haus", "20095", "Lärm", "Dach"]);
  assert.deepEqual(complaints, []);
});

test("pressing Weiter a second time goes on without the script, and in the end the server says what is wrong", async () => {
  const { page } = await stage.visit(PHONE);
  await openWaiting(page, "/fragebogen?step=1");
  const field = page.getByRole("textbox", { name: "Postleitzahl" });
  await field.fill("99999");
  await page.getByRole("button", { name: "Weiter" }).click();
  await page.locator("[data-intent=on]").waitFor();
  await page.getByRole("button", { name: "Weiter" }).click();
  await page.getByRole("checkbox", { name: "Lärm" }).waitFor();
  await page.goto("/fragebogen?step=4", { waitUntil: "commit" });
  await send(page).click();
  await send(page).click();
  await page.getByText("Bitte prüfen Sie Ihre Angaben").waitFor();
});

for (const [step, shown] of [
  ["", "Um welche Art von Gebäude geht es?"],
  ["?step=3", "Wo treten die Probleme auf?"],
] as const) {
  test(`before the script loads, /fragebogen${step} shows the same question in the same place as afterwards`, async () => {
    const { page } = await stage.visit(PHONE);
    const arrive = await openWaiting(page, `/fragebogen${step}`);
    const question = page.locator(".questionnaire-heading").filter({ visible: true });
    assert.deepEqual(await question.allInnerTexts(), [shown]);
    const places = () =>
      page.evaluate(() =>
        [
          ".progress-text",
          ".questionnaire-heading",
          ".choice-label, .field-label",
          ".questionnaire-actions button",
        ].map((selector) => {
          const element = [...document.querySelectorAll(selector)].find((found) => found.checkVisibility());
          const { x, y, width } = element?.getBoundingClientRect() ?? new DOMRect();
          return [x, y, width].map(Math.round);
        }),
      );
    const before = await places();
    arrive();
    await takenOver(page);
    assert.deepEqual(await places(), before);
  });
}

test("what is typed before the script loads is kept, with focus and caret", async () => {
  const { page } = await stage.visit(DESKTOP);
  const arrive = await openWaiting(page, "/fragebogen?propertyType=residential-house&step=1");
  const field = page.getByLabel("Postleitzahl");
  await field.pressSequentially("2009");
  await field.press("ArrowLeft");
  arrive();
  await takenOver(page);
  await page.keyboard.type("1");
  assert.equal(await field.inputValue(), "20019");
  await page.keyboard.press("Enter");
  await progress(page, 3).waitFor();
  await page.goto("/fragebogen?step=0");
  await takenOver(page);
  assert.ok(await page.getByLabel("Haus").isChecked());
});

test("what happens while React takes over the form is kept", async () => {
  const { page } = await stage.visit(PHONE);
  // React works in slices, for each of which it posts itself a message: the first one arrives, the others are held back.
  await page.addInitScript(() => {
    const { postMessage } = MessagePort.prototype;
    const held: [MessagePort, [unknown]][] = [];
    MessagePort.prototype.postMessage = function (...message: [unknown]) {
      if (held.push([this, message]) === 1) postMessage.apply(this, message);
    };
    Object.assign(window, { held, post: postMessage });
  });
  const arrive = await openWaiting(page, "/fragebogen");
  await page.getByLabel("Büro").click();
  await page.waitForURL("/fragebogen?step=1", { waitUntil: "commit" });
  arrive();
  await page.waitForFunction(() => (window as unknown as { held: unknown[] }).held.length > 1);
  const field = page.getByLabel("Postleitzahl");
  await field.evaluate((input: HTMLInputElement) => {
    input.value = "20095";
  });
  await page.goBack();
  assert.equal(await page.locator("[data-mode=step]").count(), 1, "it is not taken over yet");
  await page.evaluate(`{
    MessagePort.prototype.postMessage = post;
    for (const [port, message] of held.splice(1)) port.postMessage(...message);
  }`);
  await takenOver(page);
  await progress(page, 1).waitFor();
  assert.ok(await page.getByLabel("Büro").isChecked());
  await page.goForward();
  await progress(page, 2).waitFor();
  assert.equal(await field.inputValue(), "20095");
});

test("a tile chosen before the script loads moves on once it has loaded", async () => {
  const { page } = await stage.visit(PHONE);
  const arrive = await openWaiting(page, "/fragebogen");
  await page.getByLabel("Büro").click();
  arrive();
  await progress(page, 2).waitFor();
  await page.goBack();
  assert.ok(await page.getByLabel("Büro").isChecked());
});

test("pressing Weiter before the script loads checks the answer once it has loaded", async () => {
  const { page } = await stage.visit(PHONE);
  const arrive = await openWaiting(page, "/fragebogen?step=1");
  await page.getByRole("button", { name: "Weiter" }).click();
  arrive();
  await page.getByRole("alert").filter({ hasText: "Postleitzahl" }).waitFor();
});

test("a rejected form keeps working as served, although scripts run", async () => {
  const { page } = await stage.visit(PHONE);
  await page.route(SCRIPTS, (route) => route.abort());
  await page.goto("/fragebogen");
  await page.locator("[data-mode=whole]").waitFor();
  await page.getByLabel("Vorname").fill("Änne");
  await page.unroute(SCRIPTS);
  await send(page).click();
  const summary = page.locator(".error-summary:focus").filter({ hasText: "Bitte prüfen Sie Ihre Angaben" });
  await summary.waitFor();
  await page.waitForLoadState("networkidle");
  assert.equal(await summary.count(), 1, "the scripts leave the focus where it is");
  assert.equal(await page.getByLabel("Vorname").inputValue(), "Änne");
  assert.ok(await page.locator("[data-mode=returned]").isVisible());
  await page.getByLabel("Wohnung").check();
  await answerPlainForm(page);
  await sendOff(page);
  // The address no longer contains the token, but the page still has the link, even after a reload.
  for (const _ of [1, 2]) {
    const link = page.getByRole("link", { name: "Ihre Anfrage ansehen" });
    assert.match((await link.getAttribute("href")) ?? "", /^\/anfrage\//);
    assert.equal(await page.getByText(/Sie werden in/).count(), 0, "nobody is led away");
    await page.reload();
  }
});

test("a form that the browser itself submits leaves no draft, whenever the script loads", async () => {
  const { page } = await stage.visit(PHONE);
  const arrive = await holdBack(page, "**/assets/island.*.js");
  await page.goto("/fragebogen?propertyType=residential-house&step=1", { waitUntil: "commit" });
  await page.getByRole("textbox", { name: "Postleitzahl" }).fill("20095");
  for (const next of ["Lärm", "Balkon"]) {
    await page.getByRole("button", { name: "Weiter" }).click();
    await page.getByRole("checkbox", { name: next }).check();
  }
  await page.getByRole("button", { name: "Weiter" }).click();
  // Repeating an earlier inquiry would not lead to its page.
  await fillContact(page, { Nachname: "Allein" });
  await page.evaluate(() => {
    sessionStorage.setItem("questionnaire", '{"answers":{"firstName":"Alt"}}');
    document.addEventListener(
      "load",
      ({ target }) => {
        if (target instanceof HTMLScriptElement) target.dataset.loaded = "";
      },
      true,
    );
  });
  // A 204 response keeps the page open for as long as this takes.
  const posted = page.waitForResponse((response) => response.request().method() === "POST");
  await page.route("**/fragebogen", (route) => route.fulfill({ status: 204 }));
  await send(page).click();
  await posted;
  await page.unroute("**/fragebogen");
  arrive();
  await page.locator("script[src*='/island.'][data-loaded]").waitFor({ state: "attached" });
  assert.equal(await page.locator("fieldset").count(), 5, "it is not taken over");
  assert.ok(!(await page.evaluate(() => sessionStorage.getItem("questionnaire")))?.includes("Allein"));
  await sendOff(page);
  await page.getByRole("link", { name: "Ihre Anfrage ansehen" }).waitFor();
  assert.equal(
    await page.evaluate(() => sessionStorage.getItem("questionnaire")),
    null,
    "nor is what stood there before",
  );
});
