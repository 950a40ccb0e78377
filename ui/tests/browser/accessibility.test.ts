import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { CALM, violations } from "./support/axe.ts";
import { openBrowser, visit } from "./support/browser.ts";
import { startOperatorSite } from "./support/operator.ts";
import { everyPath } from "./support/paths.ts";
import type { Site } from "./support/site.ts";

let site: Site;
let browser: Browser;

before(async () => {
  [site, browser] = await Promise.all([startOperatorSite(), openBrowser()]);
});
after(async () => {
  await browser?.close();
  await site?.stop();
});

test("axe finds nothing on any page, narrow or wide, light or dark", async () => {
  const { context, page } = await visit(browser, site.url, CALM);
  const found: string[] = [];
  for (const path of await everyPath(site.url)) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    found.push(...(await violations(page)).map((line) => `${path} ${line}`));
  }
  assert.deepEqual(found, []);
  await context.close();
});
