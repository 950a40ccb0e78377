import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { delivered, failToSend, goOnToThanks } from "./support/failed-sending.ts";
import { INQUIRIES } from "./support/inquiries.ts";
import { startOperatorSite, TAGS } from "./support/operator.ts";
import { banner, inviting } from "./support/overlays.ts";
import { answerAll, fillContact, sendOff } from "./support/questionnaire.ts";
import { load, started } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";
import { blockThirdParties, dataLayer } from "./support/third-parties.ts";

const stage = useStage(() => startOperatorSite(TAGS));

const IDS = "GTM-TEST123 AW-123456789/abcDEF";
const script = (page: Page) => page.locator("#tag-manager");
const accept = (page: Page) => banner(page).getByRole("button", { name: "Alle akzeptieren" });

/** Opens a page as a visitor who has agreed to the tags of this site, or to those of an earlier time. */
async function agreed(tags: string | null = IDS) {
  const visit = await stage.firstVisit();
  await blockThirdParties(visit.context, stage.site.url);
  await visit.page.goto("/impressum");
  await visit.page.evaluate((tags) => {
    localStorage.setItem("cookieSettings", '{"necessary":true,"analytics":true,"marketing":true,"preferences":true}');
    localStorage.setItem("cookieConsent", "accepted");
    if (tags !== null) localStorage.setItem("cookieTags", tags);
  }, tags);
  return visit;
}

/** Returns how many conversions were reported to the tags of this document. */
const conversions = async (page: Page) =>
  (await dataLayer(page)).filter((entry) => Array.isArray(entry) && entry[1] === "conversion").length;

/** Waits until the tags of the document run. */
async function tagged(page: Page): Promise<void> {
  await started(page);
  await script(page).waitFor({ state: "attached" });
}

test("the page after a private one loads no tags, because they would read its token from the referrer", async () => {
  const { page } = await agreed();
  for (const path of ["/newsletter/bestaetigen", "/newsletter/abmelden", "/betrieb", "/anfrage"]) {
    await page.goto("/");
    await tagged(page);
    // The server's own header, which lets pages of the site see the referrer.
    const headers = { "Referrer-Policy": "same-origin" };
    await page.route(`**${path}/**`, (route) =>
      route.fulfill({ headers, contentType: "text/html", body: '<a href="/">Startseite</a>' }),
    );
    await page.goto(`${path}/Zm9vYmFyYmF6cXV4-_0123`);
    await page.getByRole("link", { name: "Startseite" }).click();
    await page.waitForURL("/");
    await started(page);
    assert.ok((await page.evaluate(() => document.referrer)).includes(path));
    assert.equal(await script(page).count(), 0);
  }
});

test("each load of the thank-you page with consent is one conversion, and no other page counts as one", async () => {
  const { page } = await agreed();
  const count = async () => {
    await tagged(page);
    return conversions(page);
  };
  for (const path of ["/", "/faq", "/fragebogen"]) {
    await page.goto(path);
    assert.equal(await count(), 0, path);
  }
  await page.goto("/danke");
  assert.equal(await count(), 1, "opened directly");
  await answerAll(page);
  assert.equal(await count(), 0);
  await sendOff(page);
  await page.getByRole("button", { name: "Hier bleiben" }).click();
  assert.equal(await count(), 1, "after an inquiry");
  await page.reload();
  assert.equal(await count(), 1, "reloaded");
  await page.clock.install();
  await failToSend(page);
  assert.equal(await count(), 0, "failed");
  await goOnToThanks(page);
  assert.equal(await count(), 1);
  await page.unroute(INQUIRIES);
  await page.goto("/faq");
  await delivered(page).waitFor();
  assert.equal(await count(), 0, "delivered");
});

test("after the plain form each load reports one conversion, and the browser keeps no token that tags could read", async () => {
  const { page } = await agreed();
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.goto("/fragebogen?propertyType=residential-house&step=1");
  await page.locator("[data-mode=whole]").waitFor();
  await page.getByLabel("Postleitzahl").fill("20095");
  await fillContact(page);
  await page.unroute("**/assets/*.js");
  await sendOff(page);
  const known = () =>
    page.evaluate(() =>
      [...performance.getEntries().map(({ name }) => name), document.referrer, JSON.stringify(history.state)].filter(
        (text) => text.includes("anfrage"),
      ),
    );
  for (const time of ["first", "reloaded"]) {
    await tagged(page);
    await page.getByRole("link", { name: "Ihre Anfrage ansehen" }).waitFor();
    assert.equal(await conversions(page), 1, time);
    assert.deepEqual(await known(), [], time);
    await page.reload();
  }
});

test("a consent given to only one of two tags loads nothing, and the banner asks again", async () => {
  const { page } = await agreed("GTM-TEST123");
  await load(page, "/cookie-einstellungen");
  assert.equal(await page.getByRole("switch", { name: "Marketing" }).isChecked(), false);
  await page.goto("/");
  await accept(page).waitFor();
  assert.equal(await script(page).count(), 0);
  await accept(page).click();
  await script(page).waitFor({ state: "attached" });
  assert.equal(await page.evaluate(() => localStorage.getItem("cookieTags")), IDS);
  await page.clock.install();
  await page.goto("/faq");
  await tagged(page);
  await page.clock.runFor(10_000);
  assert.equal(await banner(page).count(), 0);
});

test("the settings make refusing everything as easy as accepting it", async () => {
  const { page } = await agreed();
  await page.goto("/cookie-einstellungen");
  await tagged(page);
  const named = (name: string) => page.getByRole("button", { name, exact: true });
  assert.deepEqual(await inviting(named("Alle ablehnen")), await inviting(named("Alle akzeptieren")));
  await page.getByRole("button", { name: "Alle ablehnen" }).click();
  await page.getByText("Alle Cookies abgelehnt").waitFor();
  assert.equal(await page.getByRole("switch", { checked: true, disabled: false }).count(), 0);
  assert.equal(await page.evaluate(() => localStorage.getItem("cookieConsent")), "rejected");
  await load(page, "/");
  assert.equal(await script(page).count(), 0);
});
