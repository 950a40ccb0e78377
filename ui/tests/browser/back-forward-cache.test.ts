import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openKeepingBrowser, PHONE } from "./support/browser.ts";
import { delivered } from "./support/failed-sending.ts";
import { INQUIRIES } from "./support/inquiries.ts";
import { banner } from "./support/overlays.ts";
import { heading, onward, progress } from "./support/questionnaire.ts";
import { load, reload, started } from "./support/settled.ts";
import { startSite } from "./support/site.ts";
import { useStage } from "./support/stage.ts";
import { OTHERS } from "./support/states.ts";

const stage = useStage(startSite, undefined, openKeepingBrowser);

/** Opens another page, runs `meanwhile` there, and returns to the very page that was left. */
async function leaveAndReturn(page: Page, meanwhile: () => void = () => {}): Promise<void> {
  await page.evaluate(() => void Object.assign(window, { isTheSame: true }));
  await load(page, "/impressum");
  await page.evaluate(meanwhile);
  await goBackToTheSame(page);
}

/** Goes back to a page that was marked before leaving it. */
async function goBackToTheSame(page: Page): Promise<void> {
  // A page restored from the cache never fires `load` again.
  await page.goBack({ waitUntil: "commit" });
  await page.waitForURL((url) => url.pathname !== "/impressum", { waitUntil: "commit" });
  assert.ok(await page.evaluate(() => "isTheSame" in window), `${page.url()} was kept`);
}

test("the browser caches every kind of page on leaving it, and restores the very same one", async () => {
  const { page, complaints } = await stage.visit();
  for (const path of ["/", "/blog", "/faq", "/fragebogen", "/danke", "/cookie-einstellungen"]) {
    await load(page, path);
    await leaveAndReturn(page);
  }
  assert.deepEqual(complaints, []);
});

test("the questionnaire continues where it was left", async () => {
  const { page, complaints } = await stage.visit(PHONE);
  await page.goto("/fragebogen?propertyType=industrial&step=1");
  await progress(page, 2).waitFor();
  await started(page);
  await page.getByLabel("Postleitzahl").fill("22");
  await leaveAndReturn(page);
  assert.equal(await page.getByLabel("Postleitzahl").inputValue(), "22");
  await page.getByLabel("Postleitzahl").fill("22765");
  await onward(page).click();
  await progress(page, 3).waitFor();
  await page.getByLabel("Nisten").check();
  await leaveAndReturn(page);
  await page.getByLabel("Nisten").and(page.locator(":checked")).waitFor();
  await page.goBack({ waitUntil: "commit" });
  await progress(page, 2).waitFor();
  assert.equal(await page.getByLabel("Postleitzahl").inputValue(), "22765");
  assert.deepEqual(complaints, []);
});

test("the thank-you page still names the inquiry", async () => {
  const { page, complaints } = await stage.visit(PHONE);
  await OTHERS.find(({ name }) => name === "thanks-stored")?.reach(page);
  const reference = page.locator(".thanks-number");
  await reference.waitFor();
  const before = await reference.innerText();
  await leaveAndReturn(page);
  assert.equal(await reference.innerText(), before);
  await page.getByRole("link", { name: "Ihre Anfrage ansehen" }).waitFor();
  assert.deepEqual(complaints, []);
});

test("the menu is closed and no tile is selected when a visitor returns", async () => {
  const { page } = await stage.visit(PHONE);
  await load(page, "/");
  await page.getByRole("button", { name: "Menü öffnen" }).click();
  await page.evaluate(() => document.querySelector(".hero-tile")?.setAttribute("data-selected", ""));
  await leaveAndReturn(page);
  await page.getByRole("button", { name: "Menü öffnen" }).waitFor();
  assert.equal(await page.locator("[data-selected]").count(), 0);
});

test("a banner answered on another page is gone", async () => {
  const { page } = await stage.firstVisit();
  await page.goto("/");
  await banner(page).waitFor();
  await leaveAndReturn(page);
  await banner(page).waitFor();
  await leaveAndReturn(page, () => localStorage.setItem("cookieConsent", "rejected"));
  await banner(page).waitFor({ state: "detached" });
});

test("the cookie settings show what another page has stored", async () => {
  const { page } = await stage.visit();
  await load(page, "/cookie-einstellungen");
  const marketing = page.getByRole("switch", { name: "Marketing" });
  assert.equal(await marketing.isChecked(), false);
  await leaveAndReturn(page, () => localStorage.setItem("cookieSettings", '{"marketing":true}'));
  await marketing.and(page.locator(":checked")).waitFor();
});

test("a toast moves on to the next page, and does not reappear on the one that was left", async () => {
  const { page } = await stage.visit();
  await load(page, "/cookie-einstellungen");
  await page.getByRole("button", { name: "Einstellungen speichern" }).click();
  const toast = page.getByRole("status").filter({ hasText: "Einstellungen gespeichert" });
  await toast.waitFor();
  await page.getByRole("contentinfo").getByRole("link", { name: "FAQ" }).click();
  await heading(page, "Häufige Fragen").waitFor();
  await toast.waitFor();
  await reload(page);
  assert.equal(await toast.count(), 0, "a reload shows no old messages");
  await load(page, "/cookie-einstellungen");
  await page.getByRole("button", { name: "Einstellungen speichern" }).click();
  await toast.waitFor();
  await page.evaluate(() => void Object.assign(window, { isTheSame: true }));
  await page.goto("/impressum");
  await toast.waitFor();
  await goBackToTheSame(page);
  assert.equal(await toast.count(), 0);
});

test("an inquiry queued by another page is sent when a visitor returns to a page that already delivers", async () => {
  const { page } = await stage.visit();
  await page.goto("/faq");
  const keep = (key: string, wait: number) => {
    const later = Date.now() + 3_600_000;
    const createdAt = new Date().toISOString();
    const times = { attempts: 1, notBefore: Date.now() + wait, retryAt: later };
    localStorage.setItem(`inquiry-outbox:${key}`, JSON.stringify({ key, body: "[{}]", createdAt, ...times }));
  };
  await page.evaluate(`(${keep})("first", 3600000)`);
  const sent: (string | undefined)[] = [];
  await page.route(INQUIRIES, (route) => {
    sent.push(route.request().headers()["idempotency-key"]);
    return route.fulfill({ status: 201, json: [{ id: "0195cf3e-6d1c-7c3f-8a54-1f2e3d4c5b6a" }] });
  });
  const code = page.waitForResponse(/\/assets\/delivery\./);
  await page.reload();
  await (await code).finished();
  await started(page);
  await page.evaluate(() => void dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })));
  await page.evaluate(`(${keep})("second", -1000)`);
  await page.evaluate(() => void dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  await delivered(page).waitFor();
  assert.deepEqual(sent, ["second"]);
});
