import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { heading } from "./support/questionnaire.ts";
import { load, started } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

const ARTICLE = "/blog/taubenabwehr-kosten-hamburg";

/** Marks the window. The mark disappears once the browser loads another document. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { isMarked: true }));
const isMarked = (page: Page) => page.evaluate(() => "isMarked" in window);

/** Follows a link to an address, even if the page has no such link. */
async function follow(page: Page, path: string): Promise<void> {
  await started(page);
  await page.evaluate((href) => {
    const link = Object.assign(document.createElement("a"), { href, textContent: "Weg" });
    document.querySelector("main")?.append(link);
    link.click();
    link.remove();
  }, path);
}

test("links load documents, and only pages with an island load React", async () => {
  const { page, complaints } = await stage.visit();
  const scripts: string[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(new URL(response.url()).pathname);
  });
  await page.goto("/faq");
  for (const path of ["/blog", ARTICLE, "/blog/kategorie/kosten", "/sitemap", "/impressum", "/"]) {
    await started(page);
    await mark(page);
    await follow(page, path);
    await page.waitForURL(path);
    assert.equal(await isMarked(page), false, path);
    await started(page);
    assert.equal(await page.evaluate(() => window.scrollY), 0, path);
  }
  assert.deepEqual([...new Set(scripts.map((path) => path.replace(/\.\w+\.js$/, "")))], ["/assets/app"]);
  const island = page.waitForResponse((response) => new URL(response.url()).pathname.startsWith("/assets/island."));
  await follow(page, "/fragebogen");
  assert.equal((await island).status(), 200);
  assert.deepEqual(complaints, []);
});

test("among pages that do not exist, only an unknown route is logged as an error", async () => {
  const { page, complaints } = await stage.visit();
  for (const [path, name, isRoute] of [
    ["/blog/unbekannt", "Artikel nicht gefunden", true],
    ["/blog/kategorie/unbekannt", "Kategorie nicht gefunden", true],
    ["/gibt/es/nicht?x=1", "Diese Seite gibt es nicht", false],
  ] as const) {
    await load(page, "/faq");
    complaints.length = 0;
    await follow(page, path);
    await heading(page, name).waitFor();
    await started(page);
    const logged = complaints.filter((text) => text === `404: there is no route for ${path.split("?")[0]}`);
    assert.equal(logged.length, isRoute ? 0 : 1, path);
  }
});
