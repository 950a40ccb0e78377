import assert from "node:assert/strict";
import { test } from "node:test";
import { started } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

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
