import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { answerAll, send } from "./support/questionnaire.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

/** Sends the answered form and returns the headers by which the server detects robots. */
async function reportOf(page: Page): Promise<{ fillTime: number; honeypot: string | undefined }> {
  const sent = page.waitForRequest("**/rest/v1/inquiries");
  await send(page).click();
  const headers = (await sent).headers();
  await page.waitForURL("/danke");
  return { fillTime: Number(headers["form-fill-time"]), honeypot: headers["form-trap"] };
}

test("a visitor never notices the honeypot, and even one as fast as a test is not suspected", async () => {
  const { context, page } = await stage.visit();
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
  await context.close();
});

test("a robot that fills in every field is answered like a visitor and left out of the export", async () => {
  const { context, page } = await stage.visit();
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
  await context.close();
});
