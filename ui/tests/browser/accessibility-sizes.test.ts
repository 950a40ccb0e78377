import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { withoutRepeats } from "./support/faults.ts";
import { allInView, cutTexts, longLines, targets, tornTexts } from "./support/measure.ts";
import { startOperatorSite } from "./support/operator.ts";
import { everyPath } from "./support/paths.ts";
import { progress } from "./support/questionnaire.ts";
import { started } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";

/** Minimum size in pixels of any target (WCAG 2.5.8), and of the main ones (WCAG 2.5.5). */
const LEAST_TARGET = 24;
const MAIN_TARGET = 44;

/** Characters per line. WCAG 1.4.8 asks for 80, but CSS counts them in digits, which are wider than most letters. */
const LONGEST_LINE = 100;

const TILES = "main a[href*='propertyType=']";
const STEPS = [0, 1, 2, 3, 4].map((step) => `/fragebogen?step=${step}`);

const excess = async (page: Page): Promise<string[]> => {
  const [width, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  return width === screen ? [] : [`is ${width} px wide on a screen of ${screen}`];
};
const fits = async (page: Page) => [...(await excess(page)), ...(await cutTexts(page))];

const smallTargets = async (page: Page) =>
  (await targets(page)).flatMap(({ name, width, height, isInline, isMain }) => {
    const least = isMain && !/Referenz \d anzeigen/.test(name) ? MAIN_TARGET : LEAST_TARGET;
    // Rounding may take half a pixel.
    const isSmall = !isInline && (height < least - 0.5 || width < LEAST_TARGET - 0.5);
    return isSmall ? [`${name} is ${Math.round(width)}x${Math.round(height)}, not ${least}`] : [];
  });

/** Checks of every page, each at one screen size. They share one visit to a page, because opening it takes longest. */
const QUESTIONS: readonly {
  name: string;
  size: readonly [number, number];
  text?: string;
  look: (page: Page) => Promise<string[]>;
}[] = [
  { name: "no page is wider than a screen of 320 px, and nothing is cut", size: [320, 640], look: fits },
  { name: "every target is big enough for a thumb, and main targets are larger", size: [390, 844], look: smallTargets },
  { name: "no sentence is torn into columns on a phone", size: [390, 844], look: tornTexts },
  {
    name: "text at twice its size is neither cut nor wider than the screen",
    size: [640, 900],
    text: "200%",
    look: fits,
  },
  {
    name: "no line of text is too long on a wide screen",
    size: [1920, 1080],
    look: async (page) => [...(await excess(page)), ...(await longLines(page, LONGEST_LINE))],
  },
  { name: "no sentence is torn into columns on a wide screen", size: [1920, 1080], look: tornTexts },
];

/** The faults found by each check, by its name. */
const faults = new Map<string, string[]>();

const stage = useStage(startOperatorSite, async ({ site, visit }) => {
  const { context, page } = await visit({ reducedMotion: "reduce" });
  for (const path of [...(await everyPath(site.url)), ...STEPS]) {
    await page.goto(path);
    const step = /\?step=(\d)/.exec(path)?.[1];
    await (step === undefined ? page.getByRole("heading", { level: 1 }) : progress(page, Number(step) + 1)).waitFor();
    for (const {
      name,
      size: [width, height],
      text = "",
      look,
    } of QUESTIONS) {
      await page.setViewportSize({ width, height });
      await page.evaluate((size) => document.documentElement.style.setProperty("font-size", size), text);
      faults.set(name, [...(faults.get(name) ?? []), ...(await look(page)).map((line) => `${path}: ${line}`)]);
    }
  }
  await context.close();
});

for (const { name } of QUESTIONS) {
  test(name, () => {
    assert.deepEqual(withoutRepeats(faults.get(name) ?? ["was not checked"]), []);
  });
}

for (const [name, viewport] of [
  ["a phone", { width: 390, height: 844 }],
  ["a desktop", { width: 1440, height: 900 }],
] as const) {
  test(`on ${name} the question and all its tiles are visible without scrolling`, async () => {
    const { context, page } = await stage.visit({ viewport });
    await page.goto("/");
    assert.equal(await page.locator(TILES).count(), 6);
    assert.deepEqual(await allInView(page, "h1", TILES), []);
    await context.close();
  });
}

test("on a phone in landscape the first question can be answered without scrolling", async () => {
  const { context, page } = await stage.visit({ viewport: { width: 844, height: 390 } });
  await page.goto("/");
  await started(page);
  assert.deepEqual(await allInView(page, "h1"), [], "the question");
  await page
    .locator(TILES)
    .first()
    .evaluate((tile) => tile.setAttribute("data-first", ""));
  assert.deepEqual(await allInView(page, "[data-first]"), [], "the first tile");
  await page.goto("/fragebogen");
  await progress(page, 1).waitFor();
  // Until the other form stands, there is the title of the served one, which is not shown.
  await started(page);
  assert.deepEqual(await allInView(page, "h1", "label:has([type=radio]):first-of-type"), []);
  // The sticky header leaves most of the small height to the question.
  const header = await page
    .locator("header")
    .first()
    .evaluate((element) => {
      window.scrollTo(0, 200);
      return Math.max(0, element.getBoundingClientRect().bottom);
    });
  assert.ok(header <= 390 / 4, `the header takes ${header} px`);
  await context.close();
});
