import assert from "node:assert/strict";
import { test } from "node:test";
import { delivered, failToSend, unavailable } from "./support/failed-sending.ts";
import { INQUIRIES } from "./support/inquiries.ts";
import { alert, answerAll, back, onward, progress, send } from "./support/questionnaire.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

/** Returns all stored inquiries: a page that was reloaded a moment ago may look like a robot's. */
const stored = () => stage.site.stored("--include-suspected");

test("an inquiry that was corrected after a failure is delivered only in its corrected form", async () => {
  const { page } = await stage.visit();
  const before = (await stored()).length;
  await page.clock.install();
  await failToSend(page);
  await page.goBack();
  await progress(page, 4).waitFor();
  await onward(page).click();
  await page.getByLabel("Vorname").fill("Anna");
  await page.unroute(INQUIRIES);
  // The server is back, but an inquiry that is being corrected must not be sent.
  await page.clock.fastForward(120_000);
  await page.waitForLoadState("networkidle");
  await send(page).click();
  await page.waitForURL("/danke");
  await page.goto("/faq");
  await page.waitForLoadState("networkidle");
  const names = (await stored()).slice(before).map((inquiry) => inquiry.first_name);
  assert.deepEqual(names, ["Anna"]);
});

test("leaving in the middle of a correction delivers the original inquiry", async () => {
  const { page } = await stage.visit();
  const before = (await stored()).length;
  await page.clock.install();
  await failToSend(page);
  await page.goBack();
  await progress(page, 4).waitFor();
  await page.getByLabel("Dach").check();
  await page.unroute(INQUIRIES);
  await page.getByRole("banner").getByRole("link", { name: "Blog" }).click();
  await page.waitForURL("/blog");
  await page.clock.fastForward(120_000);
  await delivered(page).waitFor();
  assert.equal((await stored())[before]?.problem_locations, "balcony");
});

test("a correction of the free text alone is not lost, although the server has the inquiry already", async () => {
  const { page } = await stage.visit();
  const before = (await stored()).length;
  await answerAll(page);
  const write = async (text: string) => {
    await back(page).click();
    await progress(page, 4).waitFor();
    await page.getByLabel("Sonstiges").check();
    await page.getByLabel("Bitte beschreiben").fill(text);
    await onward(page).click();
    await progress(page, 5).waitFor();
  };
  await write("Gaube");
  // The server stores it, and its answer is lost.
  await page.route(INQUIRIES, async (route) => {
    await route.fetch();
    await route.fulfill(unavailable);
  });
  await send(page).click();
  await alert(page, "Der Speicher ist voll.").waitFor();
  await page.unroute(INQUIRIES);
  await page.goBack();
  await progress(page, 4).waitFor();
  await onward(page).click();
  await progress(page, 5).waitFor();
  await write("Gaube über der Küche");
  await send(page).click();
  await page.waitForURL("/danke");
  await page.getByRole("link", { name: "Ihre Anfrage ansehen" }).click();
  await page.getByText("Gaube über der Küche").first().waitFor();
  assert.equal((await stored()).length - before, 2, "the operator has both, the corrected one later");
});
