import axe, { type RunOptions } from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";

/** The rules of WCAG 2.2 AA, and best practices. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Rules whose result depends on the colour scheme. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];
const WITHOUT_COLOURS = Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }]));

export const PHONE_SIZE = { width: 390, height: 844 };
const DESKTOP_SIZE = { width: 1440, height: 900 };
const SIZES = [PHONE_SIZE, DESKTOP_SIZE];

/** Without motion, because text lacks contrast while it fades in. */
export const CALM: BrowserContextOptions = { viewport: PHONE_SIZE, colorScheme: "light", reducedMotion: "reduce" };

/**
 * Returns axe's findings on the open page at these widths, one line per element. Contrast takes longer than all other
 * rules together, and colours do not depend on the width, so it is checked on the narrow screen, and on the wide one only
 * if `isWhole` asks for what only wide screens show. A page that has only classes and styles of earlier ones has no new
 * colours or layout: there, checking the narrow screen without colours is enough.
 */
export async function violations(
  page: Page,
  { sizes = SIZES, isWhole = false }: { sizes?: readonly { width: number; height: number }[]; isWhole?: boolean } = {},
): Promise<string[]> {
  const found: string[] = [];
  const isNew = isWhole || (await hasNewLook(page));
  for (const size of isNew ? sizes : sizes.slice(0, 1)) {
    await page.setViewportSize(size);
    const rules = isNew && (isWhole || size === PHONE_SIZE) ? {} : WITHOUT_COLOURS;
    const light = await analyze(page, { runOnly: { type: "tag", values: TAGS }, rules });
    found.push(...light.map((line) => `${size.width} ${line}`));
  }
  if (!isNew) return found;
  if (!isWhole) await page.setViewportSize(PHONE_SIZE);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await analyze(page, { runOnly: { type: "rule", values: COLOUR_RULES } });
  found.push(...dark.map((line) => `dark ${line}`));
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(PHONE_SIZE);
  return found;
}

const looks = new Set<string>();

/** Returns whether the page has a class or an inline style that no earlier page had. */
async function hasNewLook(page: Page): Promise<boolean> {
  const before = looks.size;
  const shown = await page.evaluate(() =>
    [...document.querySelectorAll("[class], [style]")].flatMap((element) => [
      ...element.classList,
      element.getAttribute("style") ?? "",
    ]),
  );
  for (const look of shown) looks.add(look);
  return looks.size > before;
}

async function analyze(page: Page, run: RunOptions): Promise<string[]> {
  // Once per document: each injection would compile 650 KB again.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  // Skips preloading, because none of our rules looks at style sheets or media.
  const options: RunOptions = { ...run, resultTypes: ["violations"], preload: false };
  return page.evaluate(async (options) => {
    const { violations: found } = await window.axe.run(document, options);
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ target, any }) => `${id}: ${target.join(" ")} ${any[0]?.message ?? ""}`.trim()),
    );
  }, options);
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
