import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { openBrowser, visit } from "./support/browser.ts";
import { type Site, startSite } from "./support/site.ts";

let site: Site;
let browser: Browser;

before(async () => {
  [site, browser] = await Promise.all([startSite(), openBrowser()]);
});
after(async () => {
  await browser?.close();
  await site?.stop();
});

test("no page of the sitemap complains, hydration included, or asks another host", async () => {
  const sitemap = await (await fetch(`${site.url}/sitemap.xml`)).text();
  const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = ""]) => new URL(url).pathname);
  assert.ok(paths.length > 20);
  const { context, page, complaints } = await visit(browser, site.url);
  const strangers: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(site.url) && !request.url().startsWith("data:")) strangers.push(request.url());
  });
  for (const path of [...paths, "/danke", "/fragebogen?step=4"]) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    assert.deepEqual(complaints, [], path);
  }
  assert.deepEqual(strangers, []);
  await context.close();
});
