import assert from "node:assert/strict";
import { test } from "node:test";
import { openBrowser, PHONE, visit } from "./support/browser.ts";
import { CONTACT, fillContact, onward, progress, send } from "./support/questionnaire.ts";
import { startSite } from "./support/site.ts";

test("a visitor's inquiry reaches the operator even if the server is killed right after it", async (t) => {
  const site = await startSite();
  t.after(() => site.stop());
  const browser = await openBrowser();
  t.after(() => browser.close());
  const { page, complaints } = await visit(browser, site.url, { ...PHONE, reducedMotion: "no-preference" });

  await page.clock.install();
  await page.goto("/");
  await page.getByRole("heading", { level: 1, name: "Wo haben Sie ein Taubenproblem?" }).waitFor();
  await page.getByText("Gastronomie", { exact: true }).first().click();
  await progress(page, 2).waitFor();
  await page.getByLabel("Postleitzahl").fill("22765");
  await onward(page).click();
  await page.getByLabel("Verschmutzung durch Kot").check();
  await page.getByLabel("Gesundheitliche Bedenken").check();
  await onward(page).click();
  await page.getByLabel("Innenhof").check();
  await onward(page).click();
  await progress(page, 5).waitFor();
  await fillContact(page);
  await page.getByText("Ihre Angaben:").click();
  await page.getByText("Verschmutzung durch Kot, Gesundheitliche Bedenken").waitFor();
  await page.clock.pauseAt(Date.now() + 120_000); // the next page redirects after a few seconds
  await send(page).dblclick();
  await page.waitForURL("/danke");
  assert.equal(await page.evaluate(() => sessionStorage.getItem("questionnaire")), null);
  const reference = await page.locator(".thanks-number").textContent();
  assert.deepEqual(complaints, []); // checked before the crash, after which lazy pictures fail to load
  await site.crash();

  const offline = await site.stored();
  assert.equal(offline.length, 1, "the killed server's file contains the inquiry");
  await site.restart();
  const [inquiry, ...others] = await site.stored();
  assert.deepEqual(others, []);
  assert.deepEqual([inquiry], offline, "the running server exports the same");
  assert.equal(inquiry?.id?.slice(-12), reference);
  assert.equal(inquiry?.postal_code, "22765");
  assert.equal(inquiry?.property_type, "commercial");
  assert.equal(inquiry?.types_of_problems, "droppings,health");
  assert.equal(inquiry?.problem_locations, "courtyard");
  assert.equal(inquiry?.first_name, CONTACT.Vorname);
  assert.equal(inquiry?.last_name, CONTACT.Nachname);
  assert.equal(inquiry?.email_address, CONTACT["E-Mail-Adresse"]);
  assert.equal(inquiry?.phone_number, CONTACT.Telefonnummer);
});
