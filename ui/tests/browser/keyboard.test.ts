import assert from "node:assert/strict";
import { test } from "node:test";
import { DESKTOP, PHONE } from "./support/browser.ts";
import { withoutRepeats } from "./support/faults.ts";
import { startOperatorSite } from "./support/operator.ts";
import { SAMPLES } from "./support/paths.ts";
import { load } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";
import { walk } from "./support/tab-walk.ts";

const stage = useStage(startOperatorSite);

for (const [name, options, paths] of [
  ["phone", PHONE, [...SAMPLES, "/faq", "/cookie-einstellungen"]],
  // Elements that only wide screens show are all in the header.
  ["desktop", DESKTOP, ["/", "/fragebogen"]],
] as const) {
  test(`Tab reaches everything on every kind of page, with a visible focus (${name})`, async () => {
    const { page } = await stage.visit(options);
    const found: string[] = [];
    for (const path of paths) {
      await load(page, path);
      found.push(...(await walk(page)).map((line) => `${path}: ${line}`));
    }
    assert.deepEqual(withoutRepeats(found), []);
  });
}

test("the skip link comes first, is visible, and leads past the header", async () => {
  const { page } = await stage.visit();
  await load(page, "/");
  await page.keyboard.press("Tab");
  const link = page.getByRole("link", { name: "Zum Inhalt springen" });
  assert.ok(await link.evaluate((element) => element === document.activeElement));
  const box = await link.boundingBox();
  assert.ok(box !== null && box.y >= 0 && box.x >= 0, JSON.stringify(box));
  await page.keyboard.press("Enter");
  await page.locator("main:focus").waitFor();
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => document.activeElement?.closest("main") !== null));
});
