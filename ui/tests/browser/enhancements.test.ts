import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page, Locator } from "playwright-core";
import { holdBack } from "./support/deferred.ts";
import { load } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";
import { openWithoutTime, DESKTOP, PHONE } from "./support/browser.ts";
import { progress } from "./support/questionnaire.ts";

const stage = useStage();
const LETTER = "/blog/hausverwaltung-bei-tauben-einbinden";
const button = (page: Page) => page.getByRole("button", { name: "Text kopieren" }).first();
const letter = (page: Page) => page.locator(".quote-box blockquote").first();

test("a sample letter is copied with its line breaks", async () => {
  const { page, complaints } = await stage.visit({ permissions: ["clipboard-read", "clipboard-write"] });
  await load(page, LETTER);
  await button(page).click();
  await page.getByRole("status").filter({ hasText: "Text kopiert" }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^\[Ort, Datum\]\n/);
  assert.match(copied, /Sehr geehrte Damen und Herren,\n/);
  assert.match(copied, /\[Name, Wohnung\]\s*$/);
  assert.deepEqual(complaints, []);
});

test("if the browser cannot copy, the text is selected", async () => {
  const { page } = await stage.visit();
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await load(page, LETTER);
  await button(page).click();
  await page.getByRole("status").filter({ hasText: "Text markiert" }).waitFor();
  const selected = await page.evaluate(() => getSelection()?.toString());
  assert.equal(selected, await letter(page).innerText());
});

const tile = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name });
const selected = (page: Page) => page.locator("[data-selected]").allInnerTexts();
const path = (page: Page) => new URL(page.url()).pathname;

test("a chosen tile is highlighted for 200 ms, then its questionnaire opens", async () => {
  const { page, complaints } = await stage.visit();
  await openWithoutTime(page, "/");
  assert.deepEqual(await selected(page), []);
  await tile(page, "Haus").click();
  await page.clock.runFor(100);
  await tile(page, "Gastronomie").click();
  assert.equal((await selected(page)).length, 1);
  assert.match((await selected(page))[0] ?? "", /^Gastronomie/);
  await page.clock.runFor(199);
  assert.equal(path(page), "/", "the second choice restarts the delay");
  await page.clock.runFor(1);
  await page.waitForURL("/fragebogen?propertyType=commercial-restaurant&step=1");
  await page.clock.resume();
  await progress(page, 2).waitFor();
  assert.deepEqual(complaints, []);
});

const ARTICLE = "/blog/taubenabwehr-altona";
const PICTURE = "**/assets/taubenabwehr-altona.*.svg";
const DEFAULT_PICTURE = "**/platzhalter.svg";

/** The picture in the article's header. */
const frameOf = (page: Page): Locator => page.locator(".article-header .picture");
const settled = (page: Page, state: string): Promise<void> =>
  page.locator(`.article-header .picture[data-picture="${state}"]`).waitFor();
const isPulsing = (frame: Locator): Promise<boolean> =>
  frame.evaluate((element) => getComputedStyle(element, "::before").animationName !== "none");

test("a picture reserves its space and pulses until it has loaded", async () => {
  const { page, complaints } = await stage.visit({ reducedMotion: "no-preference" });
  const release = await holdBack(page, PICTURE);
  await page.goto(ARTICLE, { waitUntil: "domcontentloaded" });
  const frame = frameOf(page);
  const before = await frame.boundingBox();
  assert.ok(before && before.height > 150);
  assert.equal(await isPulsing(frame), true);

  release();
  await settled(page, "loaded");
  assert.equal(await isPulsing(frame), false);
  assert.deepEqual(await frame.boundingBox(), before);
  assert.deepEqual(complaints, []);
});

test("a picture that fails is replaced by the default one, or by its description if that fails as well", async () => {
  const { page } = await stage.visit();
  await page.route(PICTURE, (route) => route.abort());
  await page.goto(ARTICLE);
  await settled(page, "default");
  const frame = frameOf(page);
  const image = frame.getByRole("img");
  assert.equal(await image.getAttribute("src"), "/platzhalter.svg");
  assert.match((await image.getAttribute("alt")) ?? "", /Elbe/);
  await page.route(DEFAULT_PICTURE, (route) => route.abort());
  await page.reload();
  await settled(page, "failed");
  await frame.getByText("Taube auf einem Poller an der Elbe").waitFor();
  const box = await frame.boundingBox();
  assert.ok(box && box.height > 150, "the panel keeps the place of the picture");
});

const NAMES = ["Familie Petersen", "Sabine Krüger", "Mehmet Aydın"];

const carousel = (page: Page): Locator => page.getByRole("region", { name: "Referenzen", exact: true });
const next = (page: Page): Locator => page.getByRole("button", { name: "Nächste Referenz" });
const previous = (page: Page): Locator => page.getByRole("button", { name: "Vorherige Referenz" });
const dot = (page: Page, number: number): Locator => page.getByRole("button", { name: `Referenz ${number} anzeigen` });

/** Waits until a single slide fills the track and only its dot is marked. */
async function shown(page: Page, number: number): Promise<void> {
  await dot(page, number).and(page.locator("[aria-current=true]")).waitFor();
  assert.equal(await carousel(page).locator("[aria-current]").count(), 1);
  await page.waitForFunction((index) => {
    const track = document.querySelector(".carousel-track");
    return track !== null && Math.abs(track.scrollLeft - index * track.clientWidth) < 1;
  }, number - 1);
}

test("buttons and dots change the testimonial, and the buttons wrap around in both directions", async () => {
  const { page, complaints } = await stage.visit(DESKTOP);
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
});

test("a swipe changes the testimonial without changing the height of the carousel", async () => {
  const { page } = await stage.visit(PHONE);
  await page.goto("/#testimonials");
  await next(page).waitFor();
  const height = () => carousel(page).evaluate((element) => element.getBoundingClientRect().height);
  const before = await height();
  await page.locator(".carousel-track").evaluate((track) => track.scrollBy({ left: track.clientWidth * 0.8 }));
  await shown(page, 2);
  assert.equal(await height(), before);
});
