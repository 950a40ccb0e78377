import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE } from "./support/browser.ts";
import { progress } from "./support/questionnaire.ts";
import { started } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

test("a phone shows the first question and its tiles without scrolling, and nothing shifts", async () => {
  const { context, page } = await stage.visit(PHONE);
  await page.addInitScript(() => {
    const counter = Object.assign(window, { shifted: 0 });
    const add = (entry: PerformanceEntry) => (counter.shifted += (entry as unknown as { value: number }).value);
    new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto("/fragebogen");
  await progress(page, 1).waitFor();
  await page.getByRole("radio").first().waitFor();
  assert.equal(await page.getByRole("radio").count(), 6);
  const ends = await page
    .locator(".choice-building")
    .evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().bottom));
  assert.ok(Math.max(...ends) <= 844, `${ends}`);
  const shifted = await page.evaluate(() => (window as unknown as { shifted: number }).shifted);
  assert.ok(shifted < 0.001, `${shifted}: more than one line of text that changes its font`);
  await context.close();
});

test("fields have the types and hints that autofill and on-screen keyboards need", async () => {
  const { context, page } = await stage.visit();
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
  await context.close();
});

test("the HTML says that the questionnaire is loading, and is one without JavaScript", async () => {
  const html = await (await fetch(`${stage.site.url}/fragebogen`)).text();
  assert.match(html, /<h1[^>]*>[^<]+<\/h1>/);
  assert.match(html, /Fragebogen wird geladen\.\.\./);
  assert.match(html, /(?:tel:|mailto:).*<form [^>]*method="post"(?:.*<fieldset){5}.*<\/form>/s);
});
