import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { DESKTOP, PHONE } from "./support/browser.ts";
import { heading } from "./support/questionnaire.ts";
import { useStage } from "./support/stage.ts";
import { started } from "./support/settled.ts";

const stage = useStage();

const open = (page: Page) => page.getByRole("button", { name: "Menü öffnen" });
const close = (page: Page) => page.getByRole("button", { name: "Menü schließen" });
const link = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Hauptmenü" }).getByRole("link", { name });

async function withMenu(path = "/faq") {
  const visit = await stage.visit(PHONE);
  await visit.page.goto(path);
  await started(visit.page);
  await open(visit.page).click();
  await link(visit.page, "Leistungen").waitFor();
  return visit;
}

test("the open menu keeps the page from scrolling, and its button closes it", async () => {
  const { context, page, complaints } = await withMenu();
  assert.equal(await close(page).getAttribute("aria-expanded"), "true");
  await page.mouse.move(200, 700);
  await page.mouse.wheel(0, 400);
  assert.equal(await page.evaluate(() => window.scrollY), 0);
  await close(page).click();
  await link(page, "Leistungen").waitFor({ state: "hidden" });
  assert.equal(await open(page).getAttribute("aria-expanded"), "false");
  assert.deepEqual(complaints, []);
  await context.close();
});

test("Escape or a tap outside closes the menu and returns the focus to its button", async () => {
  for (const leave of [(page: Page) => page.keyboard.press("Escape"), (page: Page) => page.touchscreen.tap(200, 800)]) {
    const { context, page } = await withMenu();
    await link(page, "Blog").focus();
    await leave(page);
    await open(page).and(page.locator(":focus")).waitFor();
    assert.equal(new URL(page.url()).pathname, "/faq");
    await context.close();
  }
});

test("a link closes the menu, whether it leads to another page or to a section of this one", async () => {
  const { context, page } = await withMenu("/");
  await link(page, "Über uns").click();
  await open(page).waitFor();
  await page.locator("#about-us:focus").waitFor();
  await page.waitForFunction(
    () => Math.abs((document.getElementById("about-us")?.getBoundingClientRect().top ?? 0) - 100) < 5,
  );
  await open(page).click();
  await link(page, "Blog").click();
  await page.waitForURL("/blog");
  await open(page).waitFor();
  await context.close();
});

test("the menu closes when the Tab key leaves it", async () => {
  const { context, page } = await withMenu();
  await link(page, "Angebot anfordern").focus();
  await page.keyboard.press("Tab");
  await open(page).waitFor();
  await context.close();
});

test("going back closes the menu, even if its button lost the focus", async () => {
  const { context, page } = await stage.visit(PHONE);
  await page.goto("/blog");
  await started(page);
  await page.getByRole("contentinfo").getByRole("link", { name: "FAQ" }).click();
  await heading(page, "Häufige Fragen").waitFor();
  await started(page);
  await open(page).click();
  await close(page).evaluate((button) => button.blur()); // Safari does not focus a tapped button
  await page.goBack();
  await heading(page, "Ratgeber Taubenabwehr").waitFor();
  await open(page).waitFor();
  await page.goForward();
  await heading(page, "Häufige Fragen").waitFor();
  await open(page).waitFor();
  await context.close();
});

test("the header turns opaque after more than 10 px", async () => {
  const { context, page } = await stage.visit(DESKTOP);
  await page.goto("/");
  await started(page);
  for (const [top, isOpaque] of [
    [10, false],
    [11, true],
    [0, false],
  ] as const) {
    await page.evaluate((top) => window.scrollTo(0, top), top);
    await page.locator(`.header[data-scrolled=${isOpaque}]`).waitFor();
  }
  await context.close();
});
