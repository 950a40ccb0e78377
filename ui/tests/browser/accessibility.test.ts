import assert from "node:assert/strict";
import { test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { DESKTOP } from "./support/browser.ts";
import { alert, onward, progress, send } from "./support/questionnaire.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

async function violations(page: Page): Promise<string[]> {
  const results = await new AxeBuilder({ page }).analyze();
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`every step, in order and with errors, is without violations (${colorScheme})`, async () => {
    const { context, page } = await stage.visit({ ...DESKTOP, colorScheme, reducedMotion: "reduce" });
    for (const step of [0, 1, 2, 3, 4]) {
      await page.goto(`/fragebogen?step=${step}`);
      await progress(page, step + 1).waitFor();
      assert.deepEqual(await violations(page), [], `step ${step}`);
    }
    await send(page).click();
    await alert(page, "Pflichtfelder").or(alert(page, "Gebäudetyp")).waitFor();
    await progress(page, 1).waitFor();
    assert.deepEqual(await violations(page), [], "step 0 with an error");
    await page.goto("/fragebogen?propertyType=residential&step=1");
    await onward(page).click();
    await alert(page, "Postleitzahl").waitFor();
    assert.deepEqual(await violations(page), [], "step 1 with an error");
    await page.goto("/danke");
    assert.deepEqual(await violations(page), [], "/danke");
    await context.close();
  });
}

test("nothing is wider than a screen of 320 px", async () => {
  const { context, page } = await stage.visit({ viewport: { width: 320, height: 640 } });
  for (const path of [0, 1, 2, 3, 4].map((step) => `/fragebogen?step=${step}`).concat("/danke")) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, path);
  }
  await context.close();
});
