import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openWithoutTime } from "./support/browser.ts";
import { heading } from "./support/questionnaire.ts";
import { hydrated } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

const bar = (page: Page) => page.locator(".navigation-progress");
/** Follows a link without hovering over it first, which would prefetch its page. */
const follow = (page: Page, name: string) =>
  page.getByRole("contentinfo").getByRole("link", { name }).dispatchEvent("click");

/** Holds back responses until the returned function is called. */
async function hold(page: Page, pattern: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(pattern, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test("a page that takes longer than 300 ms is announced, and a progress bar is shown until it has loaded", async () => {
  const { context, page, complaints } = await stage.visit();
  await openWithoutTime(page, "/faq");
  const release = await hold(page, "**/blog");
  await follow(page, "Blog");
  await page.clock.runFor(299);
  assert.equal(await bar(page).count(), 0);
  await page.clock.runFor(1);
  await bar(page).waitFor();
  assert.equal(await page.locator("[aria-live=polite]").filter({ hasText: "Seite wird geladen" }).count(), 1);
  assert.ok(await heading(page, "Häufige Fragen").isVisible());
  release();
  await heading(page, "Ratgeber Taubenabwehr").waitFor();
  await bar(page).waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
  await context.close();
});

test("a slow page that the back button opens is announced, too", async () => {
  const { context, page } = await stage.visit();
  await page.goto("/blog");
  await hydrated(page);
  await follow(page, "FAQ");
  await heading(page, "Häufige Fragen").waitFor();
  await page.reload();
  await hydrated(page);
  const release = await hold(page, "**/blog");
  await page.evaluate(() => window.history.back());
  await bar(page).waitFor();
  release();
  await heading(page, "Ratgeber Taubenabwehr").waitFor();
  await bar(page).waitFor({ state: "detached" });
  await context.close();
});

test("a page that loads at once, or an anchor, opens without a progress bar", async () => {
  const { context, page } = await stage.visit();
  await openWithoutTime(page, "/faq");
  await follow(page, "Blog");
  await heading(page, "Ratgeber Taubenabwehr").waitFor();
  await page.clock.runFor(1_000);
  assert.equal(await bar(page).count(), 0);
  await page.getByRole("main").getByRole("link", { name: "Kategorien" }).click();
  await page.clock.runFor(1_000);
  assert.equal(await bar(page).count(), 0);
  await context.close();
});

test("the progress bar does not move for visitors who prefer reduced motion", async () => {
  for (const reducedMotion of ["no-preference", "reduce"] as const) {
    const { context, page } = await stage.visit({ reducedMotion });
    await page.goto("/faq");
    await hydrated(page);
    const release = await hold(page, "**/blog");
    await follow(page, "Blog");
    await bar(page).waitFor();
    const animations = await bar(page).evaluate((element) => element.getAnimations().length);
    assert.equal(animations, reducedMotion === "reduce" ? 0 : 1);
    release();
    await heading(page, "Ratgeber Taubenabwehr").waitFor();
    await context.close();
  }
});
