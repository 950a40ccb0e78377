import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { PHONE } from "./support/browser.ts";
import { delivered } from "./support/failed-sending.ts";
import { INQUIRIES } from "./support/inquiries.ts";
import { banner } from "./support/overlays.ts";
import { heading } from "./support/questionnaire.ts";
import { started } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

/** Leaves the page as the browser's cache keeps it, runs `meanwhile` as another page would, and comes back. */
async function leaveAndReturn(page: Page, meanwhile: () => void = () => {}): Promise<void> {
  // A browser under test keeps no pages, so it is told what a browser tells that does.
  await page.evaluate(() => void dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })));
  await page.evaluate(meanwhile);
  await page.evaluate(() => void dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
}

test("nothing on a page keeps the browser from caching it", async () => {
  const { context, page } = await stage.visit();
  await page.addInitScript(() => {
    const types = Object.assign(window, { types: [] as string[] }).types;
    const add = EventTarget.prototype.addEventListener;
    EventTarget.prototype.addEventListener = function (...args: Parameters<typeof add>) {
      types.push(args[0]);
      return add.apply(this, args);
    };
  });
  for (const path of ["/", "/blog", "/fragebogen", "/danke", "/cookie-einstellungen"]) {
    await page.goto(path);
    await started(page);
    const types = await page.evaluate(() => (window as unknown as { types: string[] }).types);
    assert.ok(types.includes("pagehide"));
    assert.deepEqual(
      types.filter((type) => ["unload", "beforeunload"].includes(type)),
      [],
      path,
    );
  }
  await context.close();
});

test("the menu is closed, and no tile is chosen, when a visitor comes back", async () => {
  const { context, page } = await stage.visit(PHONE);
  await page.goto("/");
  await started(page);
  await page.evaluate(() => document.querySelector(".hero-tile")?.setAttribute("data-selected", ""));
  await page.getByRole("button", { name: "Menü öffnen" }).click();
  await leaveAndReturn(page);
  await page.getByRole("button", { name: "Menü öffnen" }).waitFor();
  assert.equal(await page.locator("[data-selected]").count(), 0);
  await context.close();
});

test("a banner that another page has answered is gone", async () => {
  const { context, page } = await stage.firstVisit();
  await page.goto("/");
  await banner(page).waitFor();
  await leaveAndReturn(page);
  await banner(page).waitFor();
  await leaveAndReturn(page, () => localStorage.setItem("cookieConsent", "rejected"));
  await banner(page).waitFor({ state: "detached" });
  await context.close();
});

test("the cookie settings show what another page has stored", async () => {
  const { context, page } = await stage.visit();
  await page.goto("/cookie-einstellungen");
  await started(page);
  const marketing = page.getByRole("switch", { name: "Marketing" });
  assert.equal(await marketing.isChecked(), false);
  await leaveAndReturn(page, () => localStorage.setItem("cookieSettings", '{"marketing":true}'));
  await marketing.and(page.locator(":checked")).waitFor();
  await context.close();
});

test("a toast goes on to the next page, and is not shown again on the one that was left", async () => {
  const { context, page } = await stage.visit();
  await page.goto("/cookie-einstellungen");
  await started(page);
  await page.getByRole("button", { name: "Einstellungen speichern" }).click();
  const toast = page.getByRole("status").filter({ hasText: "Einstellungen gespeichert" });
  await toast.waitFor();
  await page.getByRole("contentinfo").getByRole("link", { name: "FAQ" }).click();
  await heading(page, "Häufige Fragen").waitFor();
  await toast.waitFor();
  await page.reload();
  await started(page);
  assert.equal(await toast.count(), 0, "a reload shows no old messages");
  await page.goto("/cookie-einstellungen");
  await started(page);
  await page.getByRole("button", { name: "Einstellungen speichern" }).click();
  await toast.waitFor();
  await leaveAndReturn(page);
  assert.equal(await toast.count(), 0);
  await context.close();
});

test("what another page has put into the outbox is sent when a visitor comes back to one that delivers already", async () => {
  const { context, page } = await stage.visit();
  await page.goto("/faq");
  const keep = (key: string, wait: number) => {
    const later = Date.now() + 3_600_000;
    const createdAt = new Date().toISOString();
    const times = { queuedAt: Date.now(), attempts: 1, notBefore: Date.now() + wait, retryAt: later };
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
  await context.close();
});
