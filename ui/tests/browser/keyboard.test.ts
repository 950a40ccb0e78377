import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { DESKTOP, PHONE } from "./support/browser.ts";
import { withoutRepeats } from "./support/faults.ts";
import { startOperatorSite } from "./support/operator.ts";
import { SAMPLES } from "./support/paths.ts";
import { started } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";
import { walk } from "./support/tab-walk.ts";
import { banner } from "./support/overlays.ts";

const stage = useStage(startOperatorSite);

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, name: string, most = 60): Promise<void> {
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press("Tab");
    if (
      await page.evaluate(
        (text) => (document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? "").includes(text),
        name,
      )
    )
      return;
  }
  assert.fail(`Tab does not reach ${name}.`);
}

const isOpen = (page: Page, name: string) => page.getByRole("button", { name }).isVisible();

for (const [name, options] of [
  ["phone", PHONE],
  ["desktop", DESKTOP],
] as const) {
  test(`Tab reaches everything on every kind of page, with a visible focus (${name})`, async () => {
    const { context, page } = await stage.visit({ ...options, reducedMotion: "reduce" });
    const found: string[] = [];
    for (const path of [...SAMPLES, "/faq", "/cookie-einstellungen", "/danke", "/sitemap", "/gibt-es-nicht"]) {
      await page.goto(path);
      await started(page);
      found.push(...(await walk(page)).map((line) => `${path}: ${line}`));
    }
    assert.deepEqual(withoutRepeats(found), []);
    await context.close();
  });
}

test("the skip link comes first, is visible, and leads past the header", async () => {
  const { context, page } = await stage.visit();
  await page.goto("/");
  await started(page);
  await page.keyboard.press("Tab");
  const link = page.getByRole("link", { name: "Zum Inhalt springen" });
  assert.ok(await link.evaluate((element) => element === document.activeElement));
  const box = await link.boundingBox();
  assert.ok(box !== null && box.y >= 0 && box.x >= 0, JSON.stringify(box));
  await page.keyboard.press("Enter");
  await page.locator("main:focus").waitFor();
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => document.activeElement?.closest("main") !== null));
  await context.close();
});

test("the menu opens and closes by keyboard and returns the focus", async () => {
  const { context, page } = await stage.visit(PHONE);
  await page.goto("/faq");
  await started(page);
  await tabTo(page, "Menü öffnen");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Menü schließen" }).and(page.locator(":focus")).waitFor();
  await tabTo(page, "Leistungen", 4);
  await page.keyboard.press("Escape");
  const closed = page.getByRole("button", { name: "Menü öffnen" });
  await closed.waitFor();
  assert.ok(await closed.evaluate((element) => element === document.activeElement), "Escape returns the focus");
  await page.keyboard.press("Space");
  await tabTo(page, "Blog", 8);
  await page.keyboard.press("Enter");
  await page.waitForURL("/blog");
  assert.ok(await isOpen(page, "Menü öffnen"), "the menu closes on navigation");
  await context.close();
});

for (const [name, consent] of [
  ["Alle akzeptieren", "accepted"],
  ["Ablehnen", "rejected"],
  ["Schließen", null],
] as const) {
  test(`the banner can be answered by keyboard: ${name}`, async () => {
    const { context, page } = await stage.firstVisit();
    await page.goto("/");
    await banner(page).waitFor();
    const button = banner(page).getByRole("button", { name, exact: true });
    await tabTo(page, name, 80);
    assert.ok(await button.evaluate((element) => element === document.activeElement));
    await page.keyboard.press("Enter");
    await banner(page).waitFor({ state: "hidden" });
    assert.equal(await page.evaluate(() => localStorage.getItem("cookieConsent")), consent);
    await context.close();
  });
}

test("answers in the FAQ open and close by keyboard", async () => {
  const { context, page } = await stage.visit();
  await page.goto("/faq");
  await started(page);
  const closed = page.locator("main details").nth(1);
  await closed.locator("summary").focus();
  const answer = closed.locator("p").first();
  for (const key of ["Enter", "Space"]) {
    await page.keyboard.press(key);
    await answer.waitFor();
    await page.keyboard.press(key);
    await answer.waitFor({ state: "hidden" });
  }
  await context.close();
});

test("the keyboard moves through the testimonials in both directions and wraps around", async () => {
  const { context, page } = await stage.visit({ ...DESKTOP, reducedMotion: "reduce" });
  await page.goto("/");
  await started(page);
  const dot = (number: number) => page.getByRole("button", { name: `Referenz ${number} anzeigen` });
  const current = (number: number) =>
    dot(number).and(page.locator("[aria-current]:not([aria-current=false]), [aria-pressed=true]"));
  for (const [name, expected] of [
    ["Nächste Referenz", 2],
    ["Vorherige Referenz", 1],
    ["Vorherige Referenz", 3],
    ["Nächste Referenz", 1],
  ] as const) {
    await page.getByRole("button", { name }).focus();
    await page.keyboard.press("Enter");
    await current(expected).waitFor();
  }
  await dot(2).focus();
  await page.keyboard.press("Enter");
  await current(2).waitFor();
  await context.close();
});
