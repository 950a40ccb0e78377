import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";

const SRC = resolve(import.meta.dirname, "../../../src");

/** Classes that have a rule in some style sheet, not counting comments. */
const styled = readdir(SRC, { recursive: true }).then(async (names) => {
  const sheets = names.filter((name) => name.endsWith(".css"));
  const texts = await Promise.all(sheets.map((name) => readFile(join(SRC, name), "utf8")));
  return new Set(classesIn(texts.join("\n").replaceAll(/\/\*[\s\S]*?\*\//g, "")));
});

/** Returns the classes on a page that have a rule, but neither in the page nor in a file that it loads. */
export async function missingRules(page: Page): Promise<string[]> {
  const [used, css] = await page.evaluate(() => [
    [...document.querySelectorAll("[class]")].flatMap((element) => [...element.classList]),
    [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText)).join(""),
  ]);
  const present = new Set(classesIn(css as string));
  const known = await styled;
  return [...new Set(used)].filter((name) => known.has(name) && !present.has(name));
}

function classesIn(css: string): string[] {
  return [...css.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = ""]) => name);
}
