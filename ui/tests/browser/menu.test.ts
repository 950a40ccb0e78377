import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { DESKTOP, PHONE } from "./support/browser.ts";
import { useStage } from "./support/stage.ts";
import { load, started } from "./support/settled.ts";

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

test("the open menu prevents the page from scrolling, and its button closes it", async () => {
  const { page, complaints } = await withMenu();
  await page.mouse.move(200, 700);
  await page.mouse.wheel(0, 400);
  assert.equal(await page.evaluate(() => window.scrollY), 0);
  await close(page).click();
  await link(page, "Leistungen").waitFor({ state: "hidden" });
  assert.deepEqual(complaints, []);
});

test("no menu button has a name that contradicts its state", async () => {
  const { context, page } = await stage.visit(PHONE);
  await page.goto("/faq");
  const session = await context.newCDPSession(page);
  const buttons = async () => {
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    const named = nodes.filter(({ role, name }) => role?.value === "button" && String(name?.value).startsWith("Menü"));
    return named.map(({ name, properties }) => [
      name?.value,
      properties?.find(({ name }) => name === "expanded")?.value.value,
    ]);
  };
  assert.deepEqual(await buttons(), [["Menü öffnen", false]]);
  const place = await open(page).boundingBox();
  await open(page).press("Enter");
  await close(page).and(page.locator(":focus")).waitFor();
  assert.deepEqual(await buttons(), [["Menü schließen", undefined]]);
  assert.deepEqual(await close(page).boundingBox(), place);
  await page.keyboard.press("Enter");
  await open(page).and(page.locator(":focus")).waitFor();
});

for (const [sign, leave, after] of [
  ["Escape, which returns the focus", (page: Page) => page.keyboard.press("Escape"), ":focus"],
  ["a tap outside", (page: Page) => page.touchscreen.tap(200, 800), "*"],
  ["the Tab key that leaves it", (page: Page) => page.keyboard.press("Tab"), "*"],
] as const) {
  test(`the menu is closed by ${sign}`, async () => {
    const { page } = await withMenu();
    await link(page, "Angebot anfordern").focus();
    await leave(page);
    await open(page).and(page.locator(after)).waitFor();
    assert.equal(new URL(page.url()).pathname, "/faq");
  });
}

test("the menu works if the page's script does not load", async () => {
  const { page } = await stage.visit(PHONE);
  await page.route("**/*.js", (route) => route.abort());
  await page.goto("/");
  await open(page).click();
  await close(page).click();
  await open(page).click();
  await link(page, "Blog").click();
  await page.waitForURL("/blog");
  for (const [path, name] of [
    ["/blog", "Anmelden"],
    ["/blog/wer-zahlt-taubenbeseitigung", "Text kopieren"],
    ["/cookie-einstellungen", "Einstellungen speichern"],
  ] as const) {
    await page.goto(path);
    await page.locator("html[data-failed]").waitFor();
    // A button that does nothing is worse than none.
    assert.equal(await page.getByRole("button", { name }).count(), 0, name);
  }
  await page.getByText("Für eine Auswahl braucht diese Seite JavaScript.").waitFor();
});

test("at any width and text size the menu is reachable, and the site's name is shown in full or not at all", async () => {
  const { page } = await stage.visit();
  await page.goto("/faq");
  for (const [width, size, isNamed] of [
    [320, "", true],
    [390, "", true],
    [768, "", true],
    [1024, "", true],
    [390, "200%", false],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate((size) => document.documentElement.style.setProperty("font-size", size), size);
    const header = page.getByRole("banner");
    const way = await (width < 768 ? open(page) : link(page, "Blog")).boundingBox();
    assert.ok(way && way.width >= 24 && way.x + way.width <= width, JSON.stringify({ width, size, way }));
    const [brand, name] = [header.locator(".brand"), header.locator(".brand span")];
    const [frame, box] = [await brand.boundingBox(), await name.boundingBox()];
    assert.ok(frame && box);
    assert.ok(!isNamed || box.x + box.width <= frame.x + frame.width + 1, `${width}`);
    assert.equal(box.y + box.height <= frame.y + frame.height + 1, isNamed, `${width} ${size}`);
  }
});

test("a link closes the menu, whether it leads to another page or to a section of this one", async () => {
  const { page } = await withMenu("/");
  await link(page, "Über uns").click();
  await open(page).waitFor();
  await page.waitForFunction(
    () => Math.abs((document.getElementById("about-us")?.getBoundingClientRect().top ?? 0) - 100) < 5,
  );
  await open(page).click();
  await link(page, "Blog").click();
  await page.waitForURL("/blog");
  await open(page).waitFor();
});

test("the header turns opaque after more than 10 px", async () => {
  const { page } = await stage.visit(DESKTOP);
  await load(page, "/");
  for (const [top, isOpaque] of [
    [10, false],
    [11, true],
    [0, false],
  ] as const) {
    await page.evaluate((top) => window.scrollTo(0, top), top);
    await page.locator(`.header[data-scrolled=${isOpaque}]`).waitFor();
  }
});
