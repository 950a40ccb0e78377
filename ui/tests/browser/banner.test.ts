import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { DESKTOP, openWithoutTime, PHONE } from "./support/browser.ts";
import { startOperatorSite } from "./support/operator.ts";
import { useStage } from "./support/stage.ts";
import { bannerHasRoom, inviting } from "./support/overlays.ts";
import { reload } from "./support/settled.ts";

const stage = useStage();
const bare = useStage(() => startOperatorSite(""));

const banner = (page: Page) => page.getByRole("dialog", { name: "Ihre Auswahl zum Datenschutz" });
const button = (page: Page, name: string) => banner(page).getByRole("button", { name });
const stored = (page: Page) =>
  page.evaluate(() => ({
    consent: localStorage.getItem("cookieConsent"),
    settings: JSON.parse(localStorage.getItem("cookieSettings") ?? "null") as unknown,
  }));

/** Opens the site as a new visitor and waits for the banner. */
async function asked(options = DESKTOP) {
  const visit = await stage.firstVisit(options);
  await openWithoutTime(visit.page, "/");
  await visit.page.clock.runFor(1_500);
  await banner(visit.page).waitFor();
  await bannerHasRoom(visit.page);
  return visit;
}

test("the banner appears after 1.5 s, leaves the focus alone and comes first in the tab order", async () => {
  const { page, complaints } = await stage.firstVisit();
  await openWithoutTime(page, "/");
  await page.clock.runFor(1_499);
  assert.equal(await banner(page).count(), 0);
  await page.clock.runFor(1);
  await banner(page).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "BODY");
  assert.equal(await banner(page).getAttribute("aria-modal"), null);
  await page.keyboard.press("Tab"); // the skip link
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => document.activeElement?.closest(".banner") !== null));
  assert.deepEqual(complaints, []);
});

test("either stored key keeps the banner away", async () => {
  for (const [key, value] of [
    ["cookieConsent", "customized"],
    ["cookieSettings", "{}"],
  ] as const) {
    const { context, page } = await stage.firstVisit();
    await context.addInitScript(([key, value]) => localStorage.setItem(key, value), [key, value] as const);
    await openWithoutTime(page, "/");
    await page.clock.runFor(10_000);
    assert.equal(await banner(page).count(), 0, key);
  }
});

test("accepting or rejecting is stored, and the banner never comes back", async () => {
  for (const [name, consent, isAllowed] of [
    ["Alle akzeptieren", "accepted", true],
    ["Ablehnen", "rejected", false],
  ] as const) {
    const { page } = await asked();
    await button(page, name).press("Enter");
    await banner(page).waitFor({ state: "detached" });
    const settings = { necessary: true, analytics: isAllowed, marketing: isAllowed, preferences: isAllowed };
    assert.deepEqual(await stored(page), { consent, settings });
    await reload(page);
    await page.clock.runFor(10_000);
    assert.equal(await banner(page).count(), 0);
  }
});

test("closing stores nothing and moves the focus to the page, and the next load asks again", async () => {
  for (const close of [
    (page: Page) => button(page, "Schließen").click(),
    (page: Page) => button(page, "Ablehnen").press("Escape"),
  ]) {
    const { page } = await asked();
    await close(page);
    await banner(page).waitFor({ state: "detached" });
    assert.deepEqual(await stored(page), { consent: null, settings: null });
    assert.equal(await page.evaluate(() => document.activeElement?.id), "inhalt");
    await reload(page);
    await page.clock.runFor(1_500);
    await banner(page).waitFor();
  }
});

test("the details open on a separate page, without the banner", async () => {
  const { page } = await asked();
  await button(page, "Details anpassen").click();
  await page.waitForURL("/cookie-einstellungen");
  assert.equal(await banner(page).count(), 0);
  assert.deepEqual(await stored(page), { consent: null, settings: null });
  await reload(page);
  await page.clock.runFor(10_000);
  assert.equal(await banner(page).count(), 0);
});

test("both choices look the same, and the banner leaves most of a screen free", async () => {
  for (const options of [{ viewport: { width: 320, height: 844 } }, PHONE]) {
    const { width, height } = options.viewport ?? { width: 0, height: 0 };
    const { page } = await asked(options);
    const both = [button(page, "Alle akzeptieren"), button(page, "Ablehnen")] as const;
    assert.deepEqual(await inviting(both[1]), await inviting(both[0]), `at ${width} px`);
    const [accept, refuse] = [await both[0].boundingBox(), await both[1].boundingBox()];
    assert.ok(accept && refuse);
    for (const { y, height: own } of [accept, refuse]) assert.ok(y + own <= height, `at ${width} px`);
    // The smallest screen has no room for both side by side.
    if (width >= 390) {
      assert.equal(refuse.y, accept.y);
      const box = await banner(page).boundingBox();
      assert.ok(box && box.height <= 0.4 * height, `${box?.height} px`);
    }
  }
});

test("the banner never covers the focused element", async () => {
  const { page } = await asked(PHONE);
  const lowest = page.getByRole("contentinfo").getByRole("link").last();
  await lowest.focus();
  // This page scrolls smoothly.
  const isFree = async () => {
    const [link, box] = await Promise.all([lowest.boundingBox(), banner(page).boundingBox()]);
    return (link?.y ?? 0) + (link?.height ?? 0) <= (box?.y ?? 0);
  };
  for (let frame = 0; frame < 300 && !(await isFree()); frame += 1) {
    // The clock is stopped, and with it whatever the page does in its next frame.
    await page.clock.runFor(20);
  }
  assert.ok(await isFree());
});

test("where nothing needs consent, nobody is asked", async () => {
  const { page } = await bare.firstVisit();
  await openWithoutTime(page, "/");
  await page.clock.runFor(10_000);
  assert.equal(await banner(page).count(), 0);
});
