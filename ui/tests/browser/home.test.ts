import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { allInView, paintedFonts } from "./support/measure.ts";
import { startOperatorSite } from "./support/operator.ts";
import { progress } from "./support/questionnaire.ts";
import { load, started } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage(startOperatorSite);

test("in dark mode the map has the colours of its legend", async () => {
  const { page } = await stage.visit({ colorScheme: "dark" });
  await page.goto("/");
  const map = page.locator("svg.map").first();
  await map.scrollIntoViewIfNeeded();
  await page.waitForLoadState("networkidle");
  const { width = 0, height = 0 } = (await map.boundingBox()) ?? {};
  const { data, info } = await sharp(await map.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  // In Wandsbek, far from names and borders; the drawing is 640 units wide.
  const [x, y] = [Math.round((450 / 640) * width), Math.round((100 / 604) * height)];
  const pixel = [...data.subarray((y * info.width + x) * 3).subarray(0, 3)];
  const tone = await map.evaluate((element) => getComputedStyle(element).getPropertyValue("--draw-sky"));
  assert.equal(`#${pixel.map((part) => part.toString(16).padStart(2, "0")).join("")}`, tone);
});

const TILES = "main a[href*='propertyType=']";

for (const [name, viewport] of [
  ["a phone", { width: 390, height: 844 }],
  ["a desktop", { width: 1440, height: 900 }],
] as const) {
  test(`on ${name} the question and all its tiles are visible without scrolling`, async () => {
    const { page } = await stage.visit({ viewport });
    await page.goto("/");
    assert.equal(await page.locator(TILES).count(), 6);
    assert.deepEqual(await allInView(page, "h1", TILES), []);
    await page.goto("/fragebogen");
    await progress(page, 1).waitFor();
    await started(page);
    assert.deepEqual(await allInView(page, "h1", ".choice-building"), []);
  });
}

test("on a phone in landscape the first question can be answered without scrolling", async () => {
  const { page } = await stage.visit({ viewport: { width: 844, height: 390 } });
  await load(page, "/");
  assert.deepEqual(await allInView(page, "h1"), [], "the question");
  await page
    .locator(TILES)
    .first()
    .evaluate((tile) => tile.setAttribute("data-first", ""));
  assert.deepEqual(await allInView(page, "[data-first]"), [], "the first tile");
  await page.goto("/fragebogen");
  await progress(page, 1).waitFor();
  // Until React has taken over, the page has the title of the served form, which is hidden.
  await started(page);
  assert.deepEqual(await allInView(page, "h1", "label:has([type=radio]):first-of-type"), []);
  // The sticky header leaves most of the limited height to the question.
  const header = await page
    .locator("header")
    .first()
    .evaluate((element) => {
      window.scrollTo(0, 200);
      return Math.max(0, element.getBoundingClientRect().bottom);
    });
  assert.ok(header <= 390 / 4, `the header takes ${header} px`);
});

test("the site's fonts cover names with letters of Latin Extended-A, and system fonts only what is missing", async () => {
  const { page } = await stage.visit();
  // Its sources name people and places in Poland, whose letters are in the same file as those of names that visitors enter.
  await page.goto("/blog/tauben-vergraemen-hamburg");
  await page.evaluate(() => document.fonts.ready);
  for (const element of ["p", "h1"]) {
    const id = `name-${element}`;
    await page.evaluate(
      async ([element, id]) => {
        const text = document.createElement(element);
        text.id = id;
        text.textContent = "WłęńżśćąźőšřčğşığțĽЖ";
        document.querySelector("main")?.prepend(text);
        // The letters beyond Western Europe are in a separate file, which is requested now.
        const { fontWeight, fontSize, fontFamily } = getComputedStyle(text);
        await document.fonts.load(`${fontWeight} ${fontSize} ${fontFamily}`, text.textContent).catch(() => undefined);
        await document.fonts.ready;
      },
      [element, id] as const,
    );
    const fonts = await paintedFonts(page, `#${id}`);
    const glyphs = (isOwn: boolean) =>
      fonts.filter((font) => font.isCustomFont === isOwn).reduce((sum, { glyphCount }) => sum + glyphCount, 0);
    assert.deepEqual([glyphs(true), glyphs(false)], [19, 1], element);
  }
});
