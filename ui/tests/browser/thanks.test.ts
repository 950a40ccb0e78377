import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { PHONE } from "./support/browser.ts";
import { failToSend, failToSendAndGoOn } from "./support/failed-sending.ts";
import { INQUIRIES } from "./support/inquiries.ts";
import { answerAll, heading, send, sendOff } from "./support/questionnaire.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

const link = (page: Page) => page.getByRole("main").getByRole("link", { name: "Ihre Anfrage ansehen" });
const path = (page: Page) => new URL(page.url()).pathname;

/** Sends an inquiry with the clock stopped, and waits for the thank-you page. */
async function arrive(page: Page): Promise<void> {
  await page.clock.install();
  await answerAll(page);
  await page.clock.pauseAt(Date.now() + 120_000);
  await sendOff(page);
  await page.getByText("in 5 Sekunden").waitFor();
}

test("after a submit the thank-you page counts down to the home page, which then shows its link", async () => {
  const { page, complaints } = await stage.visit();
  await arrive(page);
  const address = (await link(page).getAttribute("href")) ?? "";
  assert.match(address, /^\/anfrage\//);
  const buttons = page.locator("main").locator("a.button, button, a.button-quiet");
  assert.equal(await buttons.first().innerText(), "Ihre Anfrage ansehen");
  const kept = await page.evaluate(() => JSON.stringify([localStorage, history.state, location.href]));
  assert.ok(!kept.includes("/anfrage/"), `others could read it: ${kept}`);
  for (const text of ["in 4 Sekunden", "in 3 Sekunden", "in 2 Sekunden", "in 1 Sekunde "]) {
    await page.clock.runFor(1_000);
    await page.getByText(text).waitFor();
  }
  await page.clock.runFor(999);
  assert.equal(path(page), "/danke");
  await page.clock.runFor(1);
  await page.waitForURL("/");
  assert.equal(await page.getByRole("status").getByRole("link").getAttribute("href"), address);
  await page.goBack();
  await page.waitForURL("/danke");
  assert.equal(await link(page).getAttribute("href"), address);
  await page.clock.runFor(60_000);
  assert.equal(path(page), "/danke");
  assert.deepEqual(complaints, []);
});

for (const [sign, act] of [
  ["Hier bleiben", (page: Page) => page.getByRole("button", { name: "Hier bleiben" }).click()],
  ["a touch", (page: Page) => page.touchscreen.tap(5, 300)],
  ["the focus", (page: Page) => link(page).focus()],
  ["a key", (page: Page) => page.keyboard.press("Shift")],
  ["scrolling", (page: Page) => page.mouse.wheel(0, 100)],
] as const) {
  test(`the countdown stops on ${sign}`, async () => {
    const { page } = await stage.visit(PHONE);
    await arrive(page);
    const before = await link(page).boundingBox();
    await act(page);
    await page.locator("[aria-live=polite]").filter({ hasText: "angehalten" }).waitFor();
    const scrolled = await page.evaluate(() => scrollY);
    assert.equal((await link(page).boundingBox())?.y, (before?.y ?? 0) - scrolled, "nothing moves under a finger");
    if (sign === "Hier bleiben")
      await page.getByRole("link", { name: "Zurück zur Startseite" }).and(page.locator(":focus")).waitFor();
    await page.clock.runFor(60_000);
    assert.equal(path(page), "/danke");
  });
}

test("the thank-you page is complete if its scripts do not load", async () => {
  const { page } = await stage.visit();
  await answerAll(page);
  await page.route("**/assets/*.js", (route) => route.abort());
  await send(page).click();
  await page.waitForURL("/danke", { waitUntil: "commit" });
  await heading(page, "Vielen Dank für Ihre Anfrage!").waitFor();
  await page.getByText(/Referenznummer: [0-9a-f]{12}$/).waitFor();
  assert.match((await link(page).getAttribute("href")) ?? "", /^\/anfrage\//);
  await page.getByRole("button", { name: "Hier bleiben" }).click();
  await page.getByText("angehalten").waitFor();
  await page.reload({ waitUntil: "commit" });
  await page.getByText(/Referenznummer: [0-9a-f]{12}$/).waitFor();
});

test("going back from the thank-you page never leads to an empty step", async () => {
  const { page } = await stage.visit();
  await page.goto("/faq");
  await arrive(page);
  await page.getByRole("button", { name: "Hier bleiben" }).click();
  await page.goBack();
  await heading(page, "Um welche Art von Gebäude geht es?").waitFor();
  assert.equal(new URL(page.url()).search, "");
  assert.equal(await page.getByText("Keine Angabe").count(), 0);
  await page.goBack();
  await page.waitForURL("/faq");
});

test("a visitor whose inquiry could not be sent may stay on the explanation, or send it again", async () => {
  const { page } = await stage.visit();
  await page.clock.install();
  await failToSend(page);
  const again = page.getByRole("button", { name: "Jetzt noch einmal senden" });
  assert.equal(await page.getByText("brauchen sie nicht selbst").count(), 0, "the toast asks to try again");
  await again.click();
  await again.and(page.locator(":enabled")).waitFor();
  await page.getByRole("button", { name: "Hier bleiben" }).click();
  await page.locator("[aria-live=polite]").filter({ hasText: "angehalten" }).waitFor();
  await heading(page, /noch nicht bei uns/)
    .and(page.locator(":focus"))
    .waitFor();
  await page.clock.runFor(60_000);
  assert.equal(path(page), "/fragebogen");
  const before = (await stage.site.stored("--include-suspected")).length;
  await page.unroute(INQUIRIES);
  await again.click();
  await page.waitForURL("/danke");
  await page.getByText("Referenznummer").waitFor();
  assert.equal((await stage.site.stored("--include-suspected")).length, before + 1);
});

test("the thank-you page can send a waiting inquiry at once", async () => {
  const { page } = await stage.visit();
  await failToSendAndGoOn(page);
  await heading(page, /noch nicht bei uns/).waitFor();
  await page.unroute(INQUIRIES);
  await page.getByRole("button", { name: "Jetzt noch einmal senden" }).click();
  await page.getByRole("main").getByText("Referenznummer").waitFor();
});

test("a direct visit starts no countdown and offers three articles", async () => {
  const { page, complaints } = await stage.visit();
  await page.clock.install();
  await page.goto("/danke");
  await heading(page, "Vielen Dank für Ihre Anfrage!").waitFor();
  await page.getByText("innerhalb von 6 Stunden").waitFor();
  assert.equal(await page.locator("main a[href^='/blog/']").count(), 3);
  assert.equal(await page.getByRole("button", { name: "Hier bleiben" }).count(), 0);
  await page.clock.runFor(60_000);
  assert.equal(path(page), "/danke");
  await page.getByRole("link", { name: "Zurück zur Startseite" }).click();
  await page.waitForURL("/");
  assert.deepEqual(complaints, []);
});
