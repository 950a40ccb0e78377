import assert from "node:assert/strict";
import { test } from "node:test";
import { useStage } from "./support/stage.ts";

const stage = useStage();

/** Tolerance for rounding, in pixels. */
const ROUNDING = 2;

for (const width of [390, 768, 1440]) {
  test(`at ${width} px the map follows the figures at the usual distance`, async () => {
    const { context, page } = await stage.visit({ viewport: { width, height: 900 } });
    await page.goto("/");
    const about = page.locator("#about-us");
    const figures = await about.locator("dl").boundingBox();
    const map = await page.getByRole("region", { name: "Hamburg und 50" }).locator("> *").boundingBox();
    assert.ok(figures && map);
    const usual = await about.evaluate((section) => Number.parseFloat(getComputedStyle(section).paddingBlockEnd));
    const distance = map.y - figures.y - figures.height;
    assert.ok(Math.abs(distance - usual) <= ROUNDING, `${distance} px instead of ${usual} px`);
    await context.close();
  });
}
