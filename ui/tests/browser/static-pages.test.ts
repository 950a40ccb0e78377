import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { heading } from "./support/questionnaire.ts";
import { started } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

const ARTICLE = "/blog/taubenabwehr-kosten-hamburg";

/** Marks the window. The mark is gone once the browser loads another document. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { isMarked: true }));
const isMarked = (page: Page) => page.evaluate(() => "isMarked" in window);

/** Navigates on the client, even without a link on the page. Waits for hydration first: an added link is a mismatch. */
async function follow(page: Page, path: string): Promise<void> {
  await started(page);
  await page.evaluate((href) => {
    const link = Object.assign(document.createElement("a"), { href, textContent: "Weg" });
    document.querySelector("[data-static]")?.append(link);
    link.click();
    link.remove();
  }, path);
}

/** Returns the elements of the head that differ from page to page. */
const head = (page: Page) =>
  page.evaluate(() =>
    [...document.head.querySelectorAll("title, meta[name], meta[property], link[rel=canonical]")]
      .map((element) => element.outerHTML)
      .toSorted(),
  );

test("a page reached by a link equals the page that the server sends, and its heading has the focus", async () => {
  const { context, page, complaints } = await stage.visit();
  const opened = new Map<string, [string, string[]]>();
  const titles = new Map<string, string>();
  const paths = [
    "/faq",
    "/blog",
    ARTICLE,
    "/blog/kategorie/kosten",
    "/sitemap",
    "/impressum",
    "/cookie-einstellungen",
    "/",
  ];
  for (const path of paths) {
    await page.goto(path);
    titles.set(path, await page.title());
    opened.set(path, [await page.locator("main").innerText(), await head(page)]);
  }
  await page.goto("/datenschutz");
  await mark(page);
  for (const path of paths) {
    await page.evaluate(() => window.scrollTo(0, 400));
    await follow(page, path);
    await page
      .locator("p[aria-live]")
      .filter({ hasText: titles.get(path) ?? "" })
      .waitFor({ state: "attached" });
    assert.equal(await page.locator("main h1:focus").count(), 1, path);
    assert.deepEqual([await page.locator("main").innerText(), await head(page)], opened.get(path), path);
    assert.equal(await page.evaluate(() => window.scrollY), 0, path);
  }
  assert.ok(await isMarked(page));
  assert.deepEqual(complaints, []);
  await context.close();
});

test("of the pages that do not exist, only an unknown route is logged as an error", async () => {
  const { context, page, complaints } = await stage.visit();
  const isLogged = () => complaints.some((text) => text.startsWith("404: there is no route for"));
  for (const open of [(path: string) => page.goto(path), (path: string) => follow(page, path)]) {
    for (const [path, name, isRoute] of [
      ["/blog/unbekannt", "Artikel nicht gefunden", true],
      ["/blog/kategorie/unbekannt", "Kategorie nicht gefunden", true],
      ["/gibt/es/nicht?x=1", "Diese Seite gibt es nicht", false],
    ] as const) {
      complaints.length = 0;
      await open(path);
      await heading(page, name).waitFor();
      await page.waitForTimeout(100);
      assert.equal(isLogged(), !isRoute, path);
      assert.deepEqual(
        complaints.filter((text) => /hydrat/i.test(text)),
        [],
        path,
      );
    }
    await page.goto("/faq");
  }
  await context.close();
});

test("after a redirect by the server the address is the new one, with query and hash", async () => {
  const { context, page, complaints } = await stage.visit();
  await page.goto("/faq");
  await mark(page);
  await follow(page, "/blog/hausverwaltung-tauben?a=1#verwandt");
  await page.waitForURL("/blog/hausverwaltung-bei-tauben-einbinden?a=1#verwandt");
  await follow(page, "/FrageBogen?step=2");
  await page.waitForURL("/fragebogen?step=2");
  await page.goBack();
  await page.waitForURL(/hausverwaltung-bei-tauben/);
  await started(page);
  await page.goBack();
  await heading(page, "Häufige Fragen").waitFor();
  assert.ok(await isMarked(page));
  assert.deepEqual(complaints, []);
  await context.close();
});

for (const [when, isHeld] of [
  ["its code has come", true],
  ["it is alive", false],
] as const) {
  test(`a visitor who goes back twice before ${when} gets the page that the address names`, async () => {
    const { context, page, complaints } = await stage.visit();
    await page.goto("/faq");
    await follow(page, ARTICLE);
    await heading(page, "Was kostet Taubenabwehr").waitFor();
    await page.goto("/impressum");
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/assets/app.*.js", async (route) => {
      if (isHeld) await released;
      await route.continue();
    });
    await page.goBack({ waitUntil: "commit" });
    await heading(page, "Was kostet Taubenabwehr").waitFor();
    await page.evaluate(() => window.history.back());
    await page.waitForURL("/faq", { waitUntil: "commit" });
    release();
    await heading(page, "Häufige Fragen").waitFor();
    await page.getByText("Warum sind Tauben am Gebäude ein Problem?").waitFor();
    // During hydration the development build may complain about the other page before the browser leaves it.
    if (isHeld) assert.deepEqual(complaints, []);
    await context.close();
  });
}

test("an anchor in another article is scrolled to, and answers of the FAQ open", async () => {
  const { context, page } = await stage.visit();
  await page.goto("/faq");
  assert.equal(await page.locator("details[open]").count(), 1, "the first shows what the others do");
  await page.locator("summary").nth(1).click();
  assert.equal(await page.locator("details[open]").count(), 2);
  const id =
    (await (await fetch(stage.site.url + ARTICLE)).text())
      .match(/<h2 id="([^"]+)"/g)
      ?.at(1)
      ?.slice(8, -1) ?? "";
  await follow(page, `${ARTICLE}#${id}`);
  await page.waitForFunction(
    (id) => Math.abs((document.getElementById(id)?.getBoundingClientRect().top ?? 0) - 100) < 5,
    id,
  );
  await context.close();
});

test("the browser loads what is not a page or cannot be fetched", async () => {
  const { context, page } = await stage.visit();
  for (const [path, end] of [
    ["/Sitemap", "/sitemap.xml"],
    ["/site-map", "/sitemap.xml"],
    ["/SITEMAP-DIRECT.xml", "/sitemap-direct.xml"],
  ] as const) {
    await page.goto("/faq");
    await follow(page, path);
    // Not `waitForURL`: React's development mode runs effects twice, and the second call aborts the first navigation.
    await page.waitForFunction((end) => location.pathname === end && document.contentType.endsWith("/xml"), end);
  }
  await page.goto("/faq");
  await mark(page);
  let refusals = 1;
  await page.route("**/impressum", (route) => (refusals-- > 0 ? route.abort() : route.continue()));
  await follow(page, "/impressum#x");
  await page.waitForFunction(() => !("isMarked" in window));
  await heading(page, "Impressum").waitFor();
  await context.close();
});
