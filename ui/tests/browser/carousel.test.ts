import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { DESKTOP, PHONE } from "./support/browser.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

const NAMES = ["Familie Petersen", "Sabine Krüger", "Mehmet Aydın"];

const carousel = (page: Page): Locator => page.getByRole("region", { name: "Referenzen", exact: true });
const next = (page: Page): Locator => page.getByRole("button", { name: "Nächste Referenz" });
const previous = (page: Page): Locator => page.getByRole("button", { name: "Vorherige Referenz" });
const dot = (page: Page, number: number): Locator => page.getByRole("button", { name: `Referenz ${number} anzeigen` });

/** Waits until a single entry fills the track and only its dot is marked. */
async function shown(page: Page, number: number): Promise<void> {
  await dot(page, number).and(page.locator("[aria-current=true]")).waitFor();
  assert.equal(await carousel(page).locator("[aria-current]").count(), 1);
  await page.waitForFunction((index) => {
    const track = document.querySelector(".carousel-track");
    return track !== null && Math.abs(track.scrollLeft - index * track.clientWidth) < 1;
  }, number - 1);
}

test("buttons and dots change the reference, and the buttons wrap around in both directions", async () => {
  const { context, page, complaints } = await stage.visit(DESKTOP);
  await page.goto("/");
  assert.equal(await carousel(page).getAttribute("aria-roledescription"), "Karussell");
  await shown(page, 1);
  await previous(page).click();
  await shown(page, 3);
  await next(page).click();
  await shown(page, 1);
  await next(page).click();
  await next(page).click();
  await shown(page, 3);
  await dot(page, 2).click();
  await shown(page, 2);
  const status = carousel(page).locator("[aria-live=polite]");
  await status.filter({ hasText: `Referenz 2 von 3: ${NAMES[1]}` }).waitFor({ state: "attached" });
  await dot(page, 1).focus();
  await page.keyboard.press("Enter");
  await shown(page, 1);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("a swipe changes the reference without changing the height of the carousel", async () => {
  const { context, page } = await stage.visit(PHONE);
  await page.goto("/#testimonials");
  await next(page).waitFor();
  const height = () => carousel(page).evaluate((element) => element.getBoundingClientRect().height);
  const before = await height();
  await page.locator(".carousel-track").evaluate((track) => track.scrollBy({ left: track.clientWidth * 0.8 }));
  await shown(page, 2);
  assert.equal(await height(), before);
  await context.close();
});
