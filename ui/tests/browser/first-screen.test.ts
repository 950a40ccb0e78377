import assert from "node:assert/strict";
import { test } from "node:test";
import { allInView } from "./support/measure.ts";
import { startOperatorSite } from "./support/operator.ts";
import { progress } from "./support/questionnaire.ts";
import { started } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage(startOperatorSite);

const TILES = "main a[href*='propertyType=']";

for (const [name, viewport] of [
  ["a phone", { width: 390, height: 844 }],
  ["a desktop", { width: 1440, height: 900 }],
] as const) {
  test(`on ${name} the question and all its tiles are visible without scrolling`, async () => {
    const { context, page } = await stage.visit({ viewport });
    await page.goto("/");
    assert.equal(await page.locator(TILES).count(), 6);
    assert.deepEqual(await allInView(page, "h1", TILES), []);
    await page.goto("/fragebogen");
    await progress(page, 1).waitFor();
    await started(page);
    assert.deepEqual(await allInView(page, "h1", ".choice-building"), []);
    await context.close();
  });
}

test("on a phone in landscape the first question can be answered without scrolling", async () => {
  const { context, page } = await stage.visit({ viewport: { width: 844, height: 390 } });
  await page.goto("/");
  await started(page);
  assert.deepEqual(await allInView(page, "h1"), [], "the question");
  await page
    .locator(TILES)
    .first()
    .evaluate((tile) => tile.setAttribute("data-first", ""));
  assert.deepEqual(await allInView(page, "[data-first]"), [], "the first tile");
  await page.goto("/fragebogen");
  await progress(page, 1).waitFor();
  // Until the other form stands, there is the title of the served one, which is not shown.
  await started(page);
  assert.deepEqual(await allInView(page, "h1", "label:has([type=radio]):first-of-type"), []);
  // The sticky header leaves most of the small height to the question.
  const header = await page
    .locator("header")
    .first()
    .evaluate((element) => {
      window.scrollTo(0, 200);
      return Math.max(0, element.getBoundingClientRect().bottom);
    });
  assert.ok(header <= 390 / 4, `the header takes ${header} px`);
  await context.close();
});
