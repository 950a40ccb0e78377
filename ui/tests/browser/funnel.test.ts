import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { answerAll, back, onward, progress } from "./support/questionnaire.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

/** Answers instead of the server, and records what it receives. */
async function watchSteps(context: BrowserContext): Promise<(string | null)[]> {
  const told: (string | null)[] = [];
  await context.route("**/rest/v1/steps", async (route) => {
    told.push(route.request().postData());
    await route.fulfill({ status: 204 });
  });
  return told;
}

/** Goes through all steps, and back and forth between the last two. */
async function walk(page: Page): Promise<void> {
  await page.goto("/fragebogen");
  await progress(page, 1).waitFor();
  await page.getByText("Gastronomie", { exact: true }).click();
  await progress(page, 2).waitFor();
  await page.getByLabel("Postleitzahl").fill("20095");
  for (const step of [3, 4, 5]) {
    await onward(page).click();
    await progress(page, step).waitFor();
  }
  await back(page).click();
  await progress(page, 4).waitFor();
  await onward(page).click();
  await progress(page, 5).waitFor();
  await page.waitForLoadState("networkidle");
}

const step = (number: number) => JSON.stringify({ step: number });

test("each step is counted once per view, by its number alone, and nothing is stored for it", async () => {
  const { context, page, complaints } = await stage.firstVisit();
  const told = await watchSteps(context);
  await walk(page);
  assert.deepEqual(told, [0, 1, 2, 3, 4].map(step));
  assert.deepEqual(await context.cookies(), []);
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), []);
  assert.deepEqual(complaints, []);
});

test("a deep link counts the step that it shows, and a reload is another view", async () => {
  const { context, page } = await stage.visit();
  const told = await watchSteps(context);
  await answerAll(page);
  await page.waitForLoadState("networkidle");
  assert.deepEqual(told, [1, 2, 3, 4].map(step));
  await page.reload();
  await progress(page, 5).waitFor();
  await page.waitForLoadState("networkidle");
  assert.deepEqual(told.slice(4), [step(4)]);
});
