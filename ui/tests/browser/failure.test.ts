import assert from "node:assert/strict";
import { test } from "node:test";
import { goOnToThanks, watchInquiries } from "./support/failed-sending.ts";
import { errorAnswer, INQUIRIES } from "./support/inquiries.ts";
import { alert, answerAll, heading, send } from "./support/questionnaire.ts";
import { reload, started } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

test("if the server cannot store: toast, step 5, /danke after 5 s, and a single delivery on the next visit", async () => {
  const { context, page } = await stage.visit();
  const requests = watchInquiries(context);
  await page.clock.install();
  await answerAll(page);
  await page.route(INQUIRIES, (route) => route.fulfill(errorAnswer(503, "Der Speicher ist voll.")));
  await page.clock.pauseAt(Date.now() + 120_000);
  await send(page).click();
  await alert(page, "Fehler beim Speichern").waitFor();
  await alert(page, "Es gab einen Fehler beim Speichern Ihrer Anfrage: Der Speicher ist voll.").waitFor();
  await heading(page, /Vielen Dank/)
    .and(page.locator(":focus"))
    .waitFor();
  await page.getByText("in 5 Sekunden weitergeleitet").waitFor();
  await page.getByText("auf diesem Gerät gespeichert").waitFor();
  assert.ok(await page.getByRole("main").getByRole("link", { name: "Zur Startseite" }).isVisible());
  await page.clock.runFor(4_999);
  assert.equal(new URL(page.url()).pathname, "/fragebogen");
  await page.clock.runFor(1);
  await page.waitForURL("/danke");
  await page.getByText("konnte noch nicht übermittelt werden").waitFor();
  assert.equal(await page.getByRole("button", { name: "Hier bleiben" }).count(), 0);
  assert.deepEqual(await stage.site.stored(), []);
  assert.equal(await page.evaluate(() => sessionStorage.getItem("questionnaire")), null);

  await page.unroute(INQUIRIES);
  const delivered = page.waitForResponse(INQUIRIES);
  await page.goto("/");
  assert.equal((await delivered).status(), 201);
  await page.getByRole("status").filter({ hasText: "Ihre Anfrage wurde übermittelt" }).waitFor();
  await reload(page);
  assert.equal((await stage.site.stored()).length, 1);
  assert.equal(requests.length, 2);
  assert.deepEqual(requests[1], requests[0]);
});

test("without a network: a toast about an unexpected error, and delivery once the network is back", async () => {
  const { context, page } = await stage.visit();
  const before = (await stage.site.stored()).length;
  await page.clock.install();
  await answerAll(page);
  await context.setOffline(true);
  await send(page).click();
  await alert(page, "Unerwarteter Fehler").waitFor();
  await alert(page, "Ein unerwarteter Fehler ist aufgetreten. Bitte versuchen Sie es später erneut.").waitFor();
  await goOnToThanks(page);
  const delivered = page.waitForResponse(INQUIRIES);
  await context.setOffline(false);
  assert.equal((await delivered).status(), 201);
  // The thank-you page shows that the inquiry is no longer pending.
  await page.getByText("innerhalb von 6 Stunden").waitFor();
  assert.equal((await stage.site.stored()).length, before + 1);
});

test("a rejected inquiry is not sent again and stays in the form", async () => {
  const { context, page } = await stage.visit();
  const requests = watchInquiries(context);
  await page.clock.install();
  await answerAll(page);
  await page.route(INQUIRIES, (route) => route.fulfill(errorAnswer(400, "Ungültige Telefonnummer")));
  await send(page).click();
  await alert(page, "Es gab einen Fehler beim Speichern Ihrer Anfrage: Ungültige Telefonnummer").waitFor();
  await goOnToThanks(page);
  await heading(page, "Ihre Anfrage wurde nicht übermittelt").waitFor();
  await page.getByRole("link", { name: "Anfrage prüfen und erneut absenden" }).click();
  await page.waitForURL(/\/fragebogen/);
  await started(page);
  assert.equal(await page.getByLabel("Vorname").inputValue(), "Änne");
  await reload(page);
  assert.equal(requests.length, 1);
});
