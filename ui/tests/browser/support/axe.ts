import axe, { type RunOnly, type RunOptions } from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";

/** The rules of WCAG 2.2 AA, and best practices. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Rules whose result depends on the colour scheme. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

export const PHONE_SIZE = { width: 390, height: 844 };
export const DESKTOP_SIZE = { width: 1440, height: 900 };
const SIZES = [PHONE_SIZE, DESKTOP_SIZE];

/** Context options without motion, because text has too little contrast while it fades in. */
export const CALM: BrowserContextOptions = { viewport: PHONE_SIZE, colorScheme: "light", reducedMotion: "reduce" };

/**
 * Returns what axe finds on the open page at both widths, one line per element. Colours do not depend on the width, so
 * the dark scheme is checked once: contrast takes longer than all other rules together.
 */
export async function violations(
  page: Page,
  sizes: readonly { width: number; height: number }[] = SIZES,
): Promise<string[]> {
  const found: string[] = [];
  for (const size of sizes) {
    await page.setViewportSize(size);
    const light = await analyze(page, { type: "tag", values: TAGS });
    found.push(...light.map((line) => `${size.width} ${line}`));
  }
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await analyze(page, { type: "rule", values: COLOUR_RULES });
  found.push(...dark.map((line) => `dark ${line}`));
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(PHONE_SIZE);
  return found;
}

async function analyze(page: Page, runOnly: RunOnly): Promise<string[]> {
  // Once a document: it is 650 KB that would be compiled again with each run.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  // Nothing is fetched ahead, because no rule of ours looks at style sheets or media.
  const options: RunOptions = { runOnly, resultTypes: ["violations"], preload: false };
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
