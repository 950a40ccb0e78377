import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { failToSend } from "./support/failed-sending.ts";
import { answerAll, heading, send } from "./support/questionnaire.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

/** Sends an inquiry with the clock stopped and waits for the thank-you page. */
async function arrive(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" }); // pages that fade in start their countdown a moment later
  await page.clock.install();
  await answerAll(page);
  await page.clock.pauseAt(Date.now() + 120_000);
  await send(page).click();
  await page.waitForURL("/danke");
  await page.getByText("in 5 Sekunden").waitFor();
}

test("after a submit the thank-you page counts down to the home page", async () => {
  const { context, page, complaints } = await stage.visit();
  await arrive(page);
  for (const text of ["in 4 Sekunden", "in 3 Sekunden", "in 2 Sekunden", "in 1 Sekunde "]) {
    await page.clock.runFor(1_000);
    await page.getByText(text).waitFor();
  }
  await page.clock.runFor(999);
  assert.equal(new URL(page.url()).pathname, "/danke");
  await page.clock.runFor(1);
  await page.waitForURL("/");
  assert.deepEqual(complaints, []);
  await context.close();
});

test("after the countdown the link goes along, and the way back leads to it and no further", async () => {
  const { context, page } = await stage.visit();
  await arrive(page);
  const link = page.getByRole("link", { name: "Ihre Anfrage ansehen" });
  const address = await link.getAttribute("href");
  assert.match(address ?? "", /^\/anfrage\//);
  const stored = await page.evaluate(() => JSON.stringify(localStorage));
  assert.ok(!stored.includes("/anfrage/"), `it outlives this tab: ${stored}`);
  await page.clock.runFor(5_000);
  await page.waitForURL("/");
  assert.equal(await page.getByRole("status").getByRole("link").getAttribute("href"), address);
  await page.goBack();
  await page.waitForURL("/danke");
  assert.equal(
    await page.getByRole("main").getByRole("link", { name: "Ihre Anfrage ansehen" }).getAttribute("href"),
    address,
  );
  await page.clock.runFor(60_000);
  assert.equal(new URL(page.url()).pathname, "/danke");
  await context.close();
});

test("who cannot send may stay at what is said of it", async () => {
  const { context, page } = await stage.visit();
  await page.clock.install();
  await failToSend(page);
  await page.getByRole("button", { name: "Hier bleiben" }).click();
  await page.locator("[aria-live=polite]").filter({ hasText: "angehalten" }).waitFor();
  await heading(page, /noch nicht bei uns/)
    .and(page.locator(":focus"))
    .waitFor();
  await page.clock.runFor(60_000);
  assert.equal(new URL(page.url()).pathname, "/fragebogen");
  await context.close();
});

test("Hier bleiben stops the countdown and says so", async () => {
  const { context, page } = await stage.visit();
  await arrive(page);
  await page.getByRole("button", { name: "Hier bleiben" }).click();
  await page.locator("[aria-live=polite]").filter({ hasText: "angehalten" }).waitFor();
  await page.getByRole("link", { name: "Zurück zur Startseite" }).and(page.locator(":focus")).waitFor();
  await page.clock.runFor(60_000);
  assert.equal(new URL(page.url()).pathname, "/danke");
  await context.close();
});

test("a direct visit starts no countdown and offers three articles", async () => {
  const { context, page, complaints } = await stage.visit();
  await page.clock.install();
  await page.goto("/danke");
  await heading(page, "Vielen Dank für Ihre Anfrage!").waitFor();
  await page.getByText("innerhalb von 6 Stunden").waitFor();
  assert.equal(await page.locator("main a[href^='/blog/']").count(), 3);
  await page.clock.runFor(60_000);
  assert.equal(new URL(page.url()).pathname, "/danke");
  await page.getByRole("link", { name: "Zurück zur Startseite" }).click();
  await page.waitForURL("/");
  assert.deepEqual(complaints, []);
  await context.close();
});
