import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openWithoutTime } from "./support/browser.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

const tooltip = (page: Page) => page.getByRole("tooltip");
const first = (page: Page) => page.getByRole("button", { name: "Erster" });
const second = (page: Page) => page.getByRole("button", { name: "Zweiter" });

/** Opens a page with two buttons that have tooltips, and stops the clock. */
async function withButtons() {
  const visit = await stage.visit();
  await openWithoutTime(visit.page, "/impressum");
  await visit.page.evaluate(() => {
    const box = document.createElement("p");
    box.style.cssText = "position: fixed; z-index: 90; top: 0; left: 0; padding: 0; background: white";
    box.innerHTML = `
      <button data-tooltip="Tipp eins" aria-describedby="inhalt">Erster</button>
      <button data-tooltip="Tipp zwei">Zweiter</button>`;
    document.body.prepend(box);
  });
  return visit;
}

test("a tooltip opens after 700 ms, the next one at once, and after a pause of 300 ms there is a delay again", async () => {
  const { page, complaints } = await withButtons();
  await first(page).hover();
  await page.clock.runFor(699);
  assert.equal(await tooltip(page).count(), 0);
  await page.clock.runFor(1);
  await tooltip(page).filter({ hasText: "Tipp eins" }).waitFor();
  assert.equal(await first(page).getAttribute("aria-describedby"), "inhalt tooltip");
  await tooltip(page).hover();
  await page.clock.runFor(10_000);
  assert.ok(await tooltip(page).isVisible(), "it stays below the pointer");
  await second(page).hover();
  await page.clock.runFor(1);
  await tooltip(page).filter({ hasText: "Tipp zwei" }).waitFor();
  assert.equal(await first(page).getAttribute("aria-describedby"), "inhalt");
  await page.mouse.move(700, 500);
  assert.equal(await tooltip(page).count(), 0);
  await page.clock.runFor(300);
  await first(page).hover();
  await page.clock.runFor(699);
  assert.equal(await tooltip(page).count(), 0);
  assert.deepEqual(complaints, []);
});

test("keyboard focus also opens a tooltip, and Escape closes it", async () => {
  const { page } = await withButtons();
  await page.keyboard.press("Tab");
  await page.clock.runFor(700);
  await tooltip(page).filter({ hasText: "Tipp eins" }).waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await tooltip(page).count(), 0);
});
