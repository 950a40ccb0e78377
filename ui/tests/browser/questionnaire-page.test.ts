import assert from "node:assert/strict";
import { test } from "node:test";
import { started } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";
import { INQUIRIES } from "./support/inquiries.ts";
import { answerAll, back, heading, progress, send } from "./support/questionnaire.ts";
import type { Page } from "playwright-core";

const stage = useStage();
test("fields have the types and hints that autofill and on-screen keyboards need", async () => {
  const { page } = await stage.visit();
  const attributes = (label: string) =>
    page
      .getByLabel(label, { exact: true })
      .evaluate((input: HTMLInputElement) => [input.type, input.autocomplete, input.inputMode]);
  await page.goto("/fragebogen?step=1");
  await started(page);
  assert.deepEqual(await attributes("Postleitzahl"), ["text", "postal-code", "numeric"]);
  assert.equal(await page.getByLabel("Postleitzahl").getAttribute("maxlength"), "5");
  await page.goto("/fragebogen?step=4");
  await started(page);
  assert.deepEqual(await attributes("Vorname"), ["text", "given-name", ""]);
  assert.deepEqual(await attributes("Nachname"), ["text", "family-name", ""]);
  assert.deepEqual(await attributes("E-Mail-Adresse"), ["email", "email", "email"]);
  assert.deepEqual(await attributes("Telefonnummer"), ["tel", "tel", "tel"]);
});

test("the HTML says that the questionnaire is loading, and contains a form that works without JavaScript", async () => {
  const html = await (await fetch(`${stage.site.url}/fragebogen`)).text();
  assert.match(html, /<h1[^>]*>[^<]+<\/h1>/);
  assert.match(html, /Fragebogen wird geladen\.\.\./);
  assert.match(html, /(?:tel:|mailto:).*<form [^>]*method="post"(?:.*<fieldset){5}.*<\/form>/s);
});

test("the question stays visible if the browser does not go back", async () => {
  const { page } = await stage.visit();
  await page.addInitScript(() => {
    History.prototype.go = () => {};
  });
  await answerAll(page);
  await back(page).click();
  await progress(page, 4).waitFor();
  await page.locator(".questionnaire-stage[data-visible=true]").waitFor();
});

test("no answer on any step can be changed while the inquiry is being sent", async () => {
  const { page } = await stage.visit();
  await answerAll(page);
  await page.route(INQUIRIES, () => {}); // never answered
  const look = () => back(page).evaluate((button) => getComputedStyle(button).opacity);
  const before = await look();
  await send(page).click();
  const sending = page.getByRole("button", { name: "Wird gesendet..." });
  await sending.waitFor();
  assert.ok(await sending.isDisabled());
  assert.notEqual(await look(), before, "no button looks as if it worked");
  const name = page.getByLabel("Vorname");
  assert.ok(await name.isDisabled());
  assert.equal(await name.inputValue(), "Änne");
  await page.locator("[aria-live=polite]").filter({ hasText: "Ihre Anfrage wird gesendet" }).waitFor();
  await page.goBack();
  await progress(page, 4).waitFor();
  assert.ok(await page.getByLabel("Balkon").isDisabled());
});

test("a rendering error is shown with its message and a link home", async () => {
  const { page } = await stage.visit();
  await page.addInitScript(() => {
    if (location.pathname !== "/fragebogen") return;
    URLSearchParams.prototype.get = () => {
      throw new Error("This browser is broken.");
    };
  });
  await page.goto("/fragebogen");
  await heading(page, "Unexpected Application Error!").waitFor();
  const alert = page.getByRole("alert");
  assert.match(await alert.innerText(), /This browser is broken\./);
  await alert.getByRole("link", { name: "Zur Startseite" }).click();
  await heading(page, "Wo haben Sie ein Taubenproblem?").waitFor();
});

test("an error before the first render leaves the whole form", async () => {
  const { page } = await stage.visit();
  await page.route("/fragebogen", async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: (await response.text()).replace(/(<script[^>]* id="settings">)[^<]*/, "$1{"),
    });
  });
  await page.goto("/fragebogen");
  await page.locator("[data-mode=whole]").waitFor();
  await heading(page, "Kostenlos Angebote anfragen").waitFor();
});

/** Sends the completed form and returns the headers by which the server detects robots. */
async function reportOf(page: Page): Promise<{ fillTime: number; honeypot: string | undefined }> {
  const sent = page.waitForRequest("**/rest/v1/inquiries");
  await send(page).click();
  const headers = (await sent).headers();
  await page.waitForURL("/danke");
  return { fillTime: Number(headers["form-fill-time"]), honeypot: headers["form-trap"] };
}

test("a visitor never notices the honeypot, and even one as fast as a test is not suspected", async () => {
  const { page } = await stage.visit();
  const before = (await stage.site.stored()).length;
  await answerAll(page);
  const honeypot = page.locator("[name=homepage]");
  assert.equal(await honeypot.count(), 1);
  assert.equal(await page.getByRole("textbox").count(), 4, "screen readers do not find the honeypot");
  const { width, height } = (await honeypot.locator("xpath=ancestor::div[1]").boundingBox()) ?? { width: 0, height: 0 };
  assert.ok(width <= 1 && height <= 1, "the honeypot is invisible");
  const open = await page.evaluate(() => Math.floor(performance.now()));
  const { fillTime, honeypot: value } = await reportOf(page);
  assert.ok(fillTime >= open && fillTime < 600_000, `${fillTime} ms`);
  assert.equal(value, undefined);
  assert.equal((await stage.site.stored()).length, before + 1);
});

test("a robot that fills in every field gets the same response as a visitor and is left out of the export", async () => {
  const { page } = await stage.visit();
  const before = (await stage.site.stored()).length;
  await answerAll(page);
  await page.evaluate(() => {
    for (const input of document.querySelectorAll<HTMLInputElement>("form [name=homepage]"))
      input.value = "https://example.com";
  });
  assert.equal((await reportOf(page)).honeypot, "filled");
  await page.getByText("innerhalb von 6 Stunden").waitFor();
  assert.equal((await stage.site.stored()).length, before);
  assert.equal((await stage.site.stored("--only-suspected")).length, 1);
});
