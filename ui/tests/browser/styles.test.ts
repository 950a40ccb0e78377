import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { firstVisit, openBrowser, visit } from "./support/browser.ts";
import { fillTemplates, showPrivatePage } from "./support/filled-templates.ts";
import { startOperatorSite } from "./support/operator.ts";
import { everyPath } from "./support/paths.ts";
import { holdStates } from "./support/settled.ts";
import type { Site } from "./support/site.ts";
import { OTHERS, QUESTIONNAIRE, UNDECIDED } from "./support/states.ts";

const SRC = resolve(import.meta.dirname, "../../src");

/** Classes for which some style sheet has a rule outside of comments. */
let styled = new Set<string>();
/** A phone: some states exist only there. */
const NARROW = { width: 390, height: 844 };

let site: Site;
let browser: Browser;

before(async () => {
  const sheets = (await readdir(SRC, { recursive: true })).filter((name) => name.endsWith(".css"));
  const texts = await Promise.all(sheets.map((name) => readFile(join(SRC, name), "utf8")));
  styled = new Set(classesIn(texts.join("\n").replaceAll(/\/\*[\s\S]*?\*\//g, "")));
  site = await startOperatorSite();
  browser = await openBrowser();
});
after(async () => {
  await browser.close();
  await site.stop();
});

test("every page has the rules of everything that is on it", async () => {
  const { page, context } = await visit(browser, site.url);
  for (const path of [...(await everyPath(site.url)), "/gibt-es-nicht"]) {
    await page.goto(path);
    await page.locator("html").waitFor();
    assert.deepEqual(await unstyled(page), [], path);
  }
  await context.close();
});

test("every page has the rules of everything that scripts show on it", async () => {
  for (const { isFirst, states } of [
    { isFirst: false, states: [...QUESTIONNAIRE, ...OTHERS] },
    { isFirst: true, states: UNDECIDED },
  ]) {
    const { page, context } = await (isFirst ? firstVisit : visit)(browser, site.url, { viewport: NARROW });
    await holdStates(page);
    for (const { name, reach } of states) {
      await reach(page);
      assert.deepEqual(await unstyled(page), [], name);
    }
    await context.close();
  }
});

test("every private page has the rules of everything that is on it", async () => {
  const { page, context } = await visit(browser, site.url);
  for (const [name, html] of Object.entries((await fillTemplates()).pages)) {
    await showPrivatePage(page, name, html);
    assert.deepEqual(await unstyled(page), [], name);
  }
  await context.close();
});

test("letters that the fonts lack come from another font, the rest does not", async () => {
  const { page, context } = await visit(browser, site.url);
  // The first page may be shown before its fonts are there.
  await page.goto("/faq");
  await page.evaluate(() => document.fonts.ready);
  await page.goto("/faq");
  await page.evaluate(async () => {
    const text = document.createElement("p");
    text.id = "name";
    text.textContent = "Wałęsa";
    document.querySelector("main")?.prepend(text);
    await document.fonts.ready;
  });
  const session = await context.newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root } = await session.send("DOM.getDocument");
  const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector: "#name" });
  const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
  const glyphs = (isOwn: boolean) =>
    fonts.filter((font) => font.isCustomFont === isOwn).reduce((sum, { glyphCount }) => sum + glyphCount, 0);
  assert.deepEqual([glyphs(true), glyphs(false)], [4, 2]);
  await context.close();
});

/** Returns the classes on a page for which there is a rule, but not in the page. */
async function unstyled(page: Page): Promise<string[]> {
  const [used, css] = await page.evaluate(() => [
    [...document.querySelectorAll("[class]")].flatMap((element) => [...element.classList]),
    [...document.querySelectorAll("style")].map((style) => style.textContent).join(""),
  ]);
  const present = new Set(classesIn(css as string));
  return [...new Set(used)].filter((name) => styled.has(name) && !present.has(name));
}

function classesIn(css: string): string[] {
  return [...css.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = ""]) => name);
}
