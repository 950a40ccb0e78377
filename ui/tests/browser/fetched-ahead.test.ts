import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { load } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

/** Hides the speculation rules, as in a browser that cannot prerender. Not with a route, which would disable the cache. */
async function withoutRules(page: Page): Promise<void> {
  await page.addInitScript("HTMLScriptElement.supports = () => false");
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setBlockedURLs", { urls: ["*/speculation-rules.json"] });
}

/** Records the paths that scripts fetch. */
function scriptRequests(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "fetch") paths.push(new URL(request.url()).pathname);
  });
  return paths;
}

/** How the current document was loaded: bytes from the network, and the type of navigation. */
const navigation = `(({ transferSize, type }) => ({ transferSize, type }))(performance.getEntriesByType("navigation")[0])`;

test("resting the pointer on a tile fetches the questionnaire, and a click takes it from the cache and counts it", async () => {
  const { page } = await stage.visit();
  await withoutRules(page);
  const asked = scriptRequests(page);
  await load(page, "/");
  await page.waitForLoadState("networkidle");
  const tile = page.locator(".hero-tile").nth(4);
  assert.deepEqual(asked, [], "nothing is fetched before");
  const ahead = page.waitForResponse((response) => new URL(response.url()).pathname === "/fragebogen");
  const script = page.waitForResponse((response) => response.url().includes("/assets/island."));
  await tile.hover();
  const answer = await ahead;
  assert.equal(answer.request().resourceType(), "fetch");
  assert.equal(await answer.headerValue("cache-control"), "private, max-age=60");
  await answer.finished();
  await (await script).finished();
  const counted = page.waitForRequest((request) => new URL(request.url()).pathname === "/rest/v1/pages");
  await tile.click();
  assert.deepEqual(JSON.parse((await counted).postData() ?? ""), { path: "/fragebogen" });
  assert.deepEqual(await page.evaluate(navigation), { transferSize: 0, type: "navigate" });
});

test("a page requested from the server is counted by the server alone", async () => {
  const { page } = await stage.visit();
  const counted: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/rest/v1/pages") counted.push(request.url());
  });
  // The second visit is answered with 304.
  for (const path of ["/fragebogen", "/faq", "/fragebogen"]) {
    await load(page, path);
    await page.waitForLoadState("networkidle");
  }
  assert.deepEqual(counted, []);
});

for (const [who, setUp] of [
  ["a browser that prerenders pages", () => {}],
  [
    "a browser in data-saving mode",
    async (page: Page) => {
      await withoutRules(page);
      await page.addInitScript(`Object.defineProperty(navigator, "connection", { value: { saveData: true } })`);
    },
  ],
] as const) {
  test(`${who} prefetches nothing`, async () => {
    const { page } = await stage.visit();
    await setUp(page);
    const asked = scriptRequests(page);
    await load(page, "/");
    const tile = page.locator(".hero-tile").nth(4);
    await tile.hover();
    await tile.click();
    await page.waitForURL("**/fragebogen?**");
    assert.ok(!asked.includes("/fragebogen"), asked.join(", "));
  });
}
