import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openWithoutTime } from "./support/browser.ts";
import { holdBack } from "./support/deferred.ts";
import { errorAnswer } from "./support/inquiries.ts";
import { alert } from "./support/questionnaire.ts";
import { load } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

const NEWSLETTER = "**/rest/v1/newsletter";

const field = (page: Page) => page.getByLabel("E-Mail-Adresse");
const submit = (page: Page) => page.getByRole("button", { name: "Anmelden" });

test("the form shows that it is sending, then says thank you and clears the field, but sends nothing", async () => {
  const { page, complaints } = await stage.visit();
  await openWithoutTime(page, "/blog");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() !== "image") sent.push(request.url()); // pictures load lazily
  });
  await field(page).fill("aenne");
  await submit(page).press("Enter");
  assert.ok(await field(page).evaluate((input: HTMLInputElement) => !input.validity.valid));
  assert.equal(await field(page).getAttribute("autocomplete"), "email");
  await field(page).fill("aenne@example.de");
  await submit(page).press("Enter");
  const sending = page.getByRole("button", { name: "Wird angemeldet..." });
  await sending.waitFor();
  assert.ok(await sending.isDisabled());
  await page.clock.runFor(999);
  assert.ok(await sending.isVisible());
  await page.clock.runFor(1);
  await page.getByRole("status").filter({ hasText: "Vielen Dank für Ihr Interesse" }).waitFor();
  assert.equal(await field(page).inputValue(), "");
  assert.ok(await submit(page).isEnabled());
  await submit(page).and(page.locator(":focus")).waitFor();
  assert.deepEqual(sent, []);
  assert.equal(page.url(), `${stage.site.url}/blog`);
  assert.deepEqual(complaints, []);
});

/** Opens the blog as if the server could send mails. */
async function openWithMail(page: Page): Promise<void> {
  await page.route("/blog", async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('"newsletter":false', '"newsletter":true');
    assert.match(body, /"newsletter":true/);
    await route.fulfill({ response, body });
  });
  await load(page, "/blog");
}

test("with a mail server the address is sent, and the answer says that it must be confirmed", async () => {
  const { page, complaints } = await stage.visit();
  const release = await holdBack(page, NEWSLETTER, (route) => route.fulfill({ status: 202 }));
  await openWithMail(page);
  await field(page).fill("aenne@example.de");
  const asked = page.waitForRequest(NEWSLETTER);
  await submit(page).click();
  assert.ok(await page.getByRole("button", { name: "Wird angemeldet..." }).isDisabled());
  release();
  const answer = page.getByRole("status").filter({ hasText: "Bitte bestätigen Sie Ihre Anmeldung" });
  await answer.getByText("Eine E-Mail mit einem Link ist auf dem Weg zu Ihnen.").waitFor();
  assert.equal(await field(page).inputValue(), "");
  assert.ok(await submit(page).isEnabled());
  assert.equal((await asked).postData(), '{"email":"aenne@example.de"}');
  assert.deepEqual(complaints, []);
});

test("a refusal shows the server's message and keeps the address", async () => {
  const { page } = await stage.visit();
  await openWithMail(page);
  for (const status of [400, 429, 503]) {
    const message = `Das ging nicht (${status}).`;
    await page.route(NEWSLETTER, (route) => route.fulfill(errorAnswer(status, message)));
    await field(page).fill("aenne@example.de");
    await submit(page).click();
    await alert(page, message).waitFor();
    assert.equal(await field(page).inputValue(), "aenne@example.de");
    assert.ok(await submit(page).isEnabled());
    await page.unroute(NEWSLETTER);
  }
});
