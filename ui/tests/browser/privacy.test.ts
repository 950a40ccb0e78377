import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import inlineScripts from "../../generated/inline-scripts.json" with { type: "json" };
import { PHONE } from "./support/browser.ts";
import { startOperatorSite, TAGS } from "./support/operator.ts";
import { everyPath, SAMPLES } from "./support/paths.ts";
import { load, started } from "./support/settled.ts";
import { useSite, useStage } from "./support/stage.ts";
import { banner } from "./support/overlays.ts";
import { blockThirdParties, dataLayer } from "./support/third-parties.ts";

const TAG_MANAGER = "https://www.googletagmanager.com/gtm.js?id=GTM-TEST123";

const stage = useStage(() => startOperatorSite(TAGS));
const plain = useSite(startOperatorSite);

test("no kind of page contacts another host or stores anything before consent, nor does one after it was refused", async () => {
  const { context, page } = await stage.firstVisit(PHONE);
  const thirdPartyRequests = await blockThirdParties(context, stage.site.url);
  for (const path of [...SAMPLES, "/cookie-einstellungen", "/danke"]) {
    await load(page, path);
    await page.evaluate(() => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" }));
    assert.deepEqual(thirdPartyRequests, [], path);
    assert.equal(await page.locator("link[rel=preconnect], link[rel=dns-prefetch]").count(), 0, path);
  }
  assert.deepEqual(await context.cookies(), []);
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), []);
  await page.goto("/");
  await banner(page).getByRole("button", { name: "Ablehnen" }).click();
  await load(page, "/danke");
  assert.deepEqual(thirdPartyRequests, []);
});

test("after accepting, only the tag manager is contacted, on this page and the next", async () => {
  const { context, page } = await stage.firstVisit(PHONE);
  const thirdPartyRequests = await blockThirdParties(context, stage.site.url);
  await page.goto("/");
  await banner(page).getByText("Google Ireland Limited").waitFor();
  assert.deepEqual(thirdPartyRequests, []);
  const asked = page.waitForRequest(TAG_MANAGER);
  await banner(page).getByRole("button", { name: "Alle akzeptieren" }).click();
  await asked;
  const again = page.waitForRequest(TAG_MANAGER);
  await page.goto("/danke");
  await again;
  await started(page);
  assert.deepEqual([...new Set(thirdPartyRequests)], [TAG_MANAGER]);
  assert.deepEqual(await page.evaluate(() => localStorage.getItem("cookieConsent")), "accepted");
});

test("after accepting, the container receives the consent defaults and then its start event, once", async () => {
  const { context, page } = await stage.firstVisit(PHONE);
  await blockThirdParties(context, stage.site.url);
  await load(page, "/");
  assert.deepEqual(await dataLayer(page), []);
  await banner(page).getByRole("button", { name: "Alle akzeptieren" }).click();
  await page.locator("#tag-manager").waitFor({ state: "attached" });
  const [consent, start, ...rest] = (await dataLayer(page)).map((entry) => JSON.stringify(entry));
  assert.match(consent ?? "", /^\["consent","default",/);
  assert.match(start ?? "", /^\{"gtm\.start":[0-9]{13},"event":"gtm\.js"\}$/);
  assert.deepEqual(rest, []);
});

test("after withdrawing, the tags are notified at once, and the next page loads without them", async () => {
  const { context, page } = await stage.firstVisit(PHONE);
  const thirdPartyRequests = await blockThirdParties(context, stage.site.url);
  await load(page, "/cookie-einstellungen");
  await page.getByRole("button", { name: "Alle akzeptieren" }).click();
  const script = page.locator("#tag-manager");
  await script.waitFor({ state: "attached" });
  await page.getByRole("switch", { name: "Marketing" }).click();
  await page.getByRole("button", { name: "Einstellungen speichern" }).click();
  await page.getByText("Einstellungen gespeichert").waitFor();
  assert.deepEqual((await dataLayer(page)).at(-1), [
    "consent",
    "update",
    { ad_storage: "denied", ad_user_data: "denied", ad_personalization: "denied" },
  ]);
  await page.locator("footer").getByRole("link", { name: "FAQ" }).click();
  await page.waitForURL("/faq");
  await script.waitFor({ state: "detached" });
  await started(page);
  assert.deepEqual(thirdPartyRequests, [TAG_MANAGER]);
});

test("every policy allows only the inline scripts of its page, with or without tag ids", async () => {
  for (const origin of [stage.site.url, plain.site.url]) {
    for (const path of await everyPath(origin)) {
      const response = await fetch(origin + path);
      const policy = response.headers.get("content-security-policy") ?? "";
      assert.ok(/(?:^|; *)default-src 'none'/.test(policy), `${path}: ${policy}`);
      const scripts = /(?:^|; *)script-src ([^;]*)/.exec(policy)?.[1]?.trim().split(/\s+/) ?? [];
      const files = origin === stage.site.url ? ["'self'", "https://www.googletagmanager.com"] : ["'self'"];
      assert.deepEqual(
        scripts.filter((source) => !source.startsWith("'sha256-")),
        files,
        path,
      );
      const hashes = scripts.filter((source) => source.startsWith("'sha256-"));
      const expected = new Set(inlineHashes(await response.text()));
      // The policy also covers the variant of the page that follows a form sent without JavaScript.
      if (path === "/danke") expected.add(hashOf(inlineScripts.thanks));
      assert.deepEqual(hashes.sort(), [...expected].sort(), path);
    }
  }
});

/** Returns the hashes of the inline scripts that would run, each once, as a policy lists them. */
function inlineHashes(html: string): string[] {
  return [...new Set([...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code = ""]) => hashOf(code)))];
}

function hashOf(code: string): string {
  return `'sha256-${createHash("sha256").update(code).digest("base64")}'`;
}
