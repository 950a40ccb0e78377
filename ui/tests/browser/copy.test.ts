import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { started } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

const LETTER = "/blog/hausverwaltung-bei-tauben-einbinden";
const button = (page: Page) => page.getByRole("button", { name: "Text kopieren" }).first();
const letter = (page: Page) => page.locator(".quote-box blockquote").first();

test("a sample letter is copied with its line breaks", async () => {
  const { context, page, complaints } = await stage.visit({ permissions: ["clipboard-read", "clipboard-write"] });
  await page.goto(LETTER);
  await started(page);
  await button(page).click();
  await page.getByRole("status").filter({ hasText: "Text kopiert" }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^\[Ort, Datum\]\n/);
  assert.match(copied, /Sehr geehrte Damen und Herren,\n/);
  assert.match(copied, /\[Name, Wohnung\]\s*$/);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("if the browser cannot copy, the text is selected", async () => {
  const { context, page } = await stage.visit();
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.goto(LETTER);
  await started(page);
  await button(page).click();
  await page.getByRole("status").filter({ hasText: "Text markiert" }).waitFor();
  const selected = await page.evaluate(() => getSelection()?.toString());
  assert.equal(selected, await letter(page).innerText());
  await context.close();
});
