import type { Page } from "playwright-core";
import type { Check } from "./checks.ts";
import { cutTexts, longLines, targets, tornTexts } from "./measure.ts";

/** Minimum size in pixels of any target (WCAG 2.5.8), and of the main ones (WCAG 2.5.5). */
const LEAST_TARGET = 24;
const MAIN_TARGET = 44;

/** Characters per line. WCAG 1.4.8 asks for 80, but CSS counts in digits, which are wider than most letters. */
const LONGEST_LINE = 100;

const excess = async (page: Page): Promise<string[]> => {
  const [width, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  return width === screen ? [] : [`is ${width} px wide on a screen of ${screen}`];
};
const fits = async (page: Page) => [...(await excess(page)), ...(await cutTexts(page))];

const smallTargets = async (page: Page) =>
  (await targets(page)).flatMap(({ name, width, height, isInline, isMain }) => {
    const least = isMain && !/Referenz \d anzeigen/.test(name) ? MAIN_TARGET : LEAST_TARGET;
    // Rounding may cost half a pixel.
    const isSmall = !isInline && (height < least - 0.5 || width < LEAST_TARGET - 0.5);
    return isSmall ? [`${name} is ${Math.round(width)}x${Math.round(height)}, not ${least}`] : [];
  });

/** Checks at one screen size each, with one text size. */
export const SIZES: readonly Check[] = (
  [
    { name: "no page is wider than a screen of 320 px, and nothing is cut off", size: [320, 640], look: fits },
    {
      name: "every target is big enough for a thumb, and main targets are larger",
      size: [390, 844],
      look: smallTargets,
    },
    { name: "no sentence is torn into columns on a phone", size: [390, 844], look: tornTexts },
    {
      name: "text at twice the size is neither cut off nor wider than the screen",
      size: [640, 900],
      text: "200%",
      look: fits,
    },
    { name: "text at twice the size is not wider than a phone", size: [390, 844], text: "200%", look: excess },
    {
      name: "no line of text is too long on a wide screen",
      size: [1920, 1080],
      look: async (page: Page) => [...(await excess(page)), ...(await longLines(page, LONGEST_LINE))],
    },
    { name: "no sentence is torn into columns on a wide screen", size: [1920, 1080], look: tornTexts },
  ] as const
).map(({ name, size: [width, height], look, ...more }) => ({
  name,
  look: async (page) => {
    await page.setViewportSize({ width, height });
    const text = "text" in more ? more.text : "";
    await page.evaluate((size) => document.documentElement.style.setProperty("font-size", size), text);
    return look(page);
  },
}));
