import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { CALM, violations } from "./support/axe.ts";
import { inquire } from "./support/inquiries.ts";
import { firmName, type Referring, referringFor } from "./support/referrals.ts";

const FIRM = "nord";
const LONG = "Donaudampfschifffahrt".repeat(29).slice(0, 600);

/** Sends an inquiry, has the firm accept it, and returns the address of the visitor's page. */
async function accepted(referring: Referring, page: Page, lastName: string): Promise<string> {
  const { visitors, firms } = await inquire(referring, FIRM, lastName);
  await page.goto(firms);
  await page.getByRole("button", { name: "Annehmen und Kontaktdaten ansehen" }).click();
  await page.getByLabel("Kein Auftrag").check();
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.getByText("Danke, Ihre Angabe ist gespeichert.").waitFor();
  return visitors;
}

const star = (page: Page, count: number) =>
  page.getByRole("radio", { name: count === 1 ? "1 Stern" : `${count} Sterne` });

/** Counts the stars that are filled. */
const full = (page: Page) =>
  page
    .locator(".review-stars-star svg")
    .evaluateAll((all) => all.filter((one) => getComputedStyle(one).fill !== "none").length);

test("a review is written by keyboard without scripts, and shown on the home page until it is taken back", async (t) => {
  const referring = await referringFor(t, [FIRM]);
  const { site } = referring;
  const { page } = await referring.visit({ ...CALM, javaScriptEnabled: false });
  const first = await accepted(referring, page, "Kranichfeld");

  await page.goto(first);
  const form = page.getByRole("form", { name: firmName(FIRM) });
  await form.getByRole("button", { name: "Bewerten" }).click();
  await page.getByRole("link", { name: "Bitte wählen Sie 1 bis 5 Sterne." }).click();
  assert.equal(await page.title().then((title) => title.startsWith("Fehler: ")), true);
  await star(page, 1).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.ok(await star(page, 4).isChecked());
  await page.keyboard.press("Tab");
  await page.keyboard.type("Sauber gearbeitet.");
  await page.keyboard.press("Tab");
  assert.equal(await form.getByLabel("Name, der angezeigt wird").inputValue(), "Änne K.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  assert.ok(await form.getByRole("checkbox").isChecked());
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("Ihre Bewertung ist gespeichert").waitFor();
  assert.equal(await full(page), 4);
  const id = (await site.run("reviews", "--waiting")).split("\n")[1]?.split(" ")[0] ?? "";
  await site.run("reviews", "publish", id);

  const second = await accepted(referring, page, "Storch");
  await page.goto(second);
  await star(page, 5).check();
  await form.getByLabel("Ihre Erfahrung").fill(LONG);
  await form.getByRole("checkbox").check();
  await form.getByRole("button", { name: "Bewerten" }).click();
  await page.getByText("Ihre Bewertung ist gespeichert").waitFor();
  const other = (await site.run("reviews", "--waiting")).split("\n")[1]?.split(" ")[0] ?? "";
  await site.run("reviews", "publish", other);

  await page.goto("/");
  const section = page.locator("#testimonials");
  assert.match(await section.innerText(), /Durchschnitt 4,5 von 5 aus 2 Bewertungen/);
  assert.match(await section.innerText(), /Änne K\.[\s\S]*Raum 200[\s\S]*Sauber gearbeitet\./);
  for (const width of [320, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    const needed = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(needed <= width, `${needed} at ${width}`);
  }

  const { page: scripted, complaints } = await referring.visit(CALM);
  await scripted.goto("/#testimonials");
  await scripted.locator(".carousel[data-live]").waitFor();
  // The newest review comes first.
  assert.match(await scripted.getByRole("group", { name: "1 von 2" }).innerText(), /5 von 5 Sternen/);
  await scripted.getByRole("button", { name: "Nächste Referenz" }).click();
  await scripted.locator('[data-carousel-dot="1"][aria-current="true"]').waitFor();
  assert.deepEqual(await violations(scripted), []);
  assert.deepEqual(complaints, []);

  await page.goto(first);
  await form.getByRole("button", { name: "Bewertung zurücknehmen" }).click();
  await page.getByText("zurückgenommen").waitFor();
  await page.goto("/");
  assert.match(await section.innerText(), /Durchschnitt 5,0 von 5 aus 1 Bewertung/);
  assert.doesNotMatch(await section.innerText(), /Sauber gearbeitet/);
  // There is only one review, so there is nothing to switch.
  assert.equal(await section.getByRole("button").count(), 0);
});
