import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import consent from "../../generated/consent.json" with { type: "json" };
import { visit } from "./support/browser.ts";
import { delivered, unavailable } from "./support/failed-sending.ts";
import { INQUIRIES } from "./support/inquiries.ts";
import { alert, answerAll, back, onward, progress, send, sendOff } from "./support/questionnaire.ts";
import { reload } from "./support/settled.ts";
import { useSite, useStage } from "./support/stage.ts";
import { startOperatorSite } from "./support/operator.ts";

const stage = useStage();
const byHand = useSite(() => startOperatorSite("", "Taubenfrei Nord GmbH"));

const PRIVATE_PAGE = "/anfrage/Zm9vYmFyYmF6cXV4-_0123";
const link = (page: Page) => page.getByRole("main").getByRole("link", { name: "Ihre Anfrage ansehen" });

/** Responds as if the server had stored the inquiry, with this Location. */
async function accept(page: Page, location: string | null): Promise<void> {
  const id = "0195cf3e-6d1c-7c3f-8a54-1f2e3d4c5b6a";
  const headers: Record<string, string> = location === null ? {} : { Location: location };
  await page.route(INQUIRIES, (route) => route.fulfill({ status: 201, headers, json: [{ id }] }));
}

test("the thank-you page links to the private page, which the browser opens as a new document", async () => {
  const { page, complaints } = await stage.visit();
  const opened: string[] = [];
  await page.route("**/anfrage/**", async (route) => {
    opened.push(route.request().resourceType());
    const fades = "<style>@view-transition { navigation: auto }</style>"; // as every page does
    await route.fulfill({ contentType: "text/html", body: `<title>Ihre Anfrage</title>${fades}` });
  });
  await accept(page, PRIVATE_PAGE);
  await answerAll(page);
  await sendOff(page);
  await page.getByRole("button", { name: "Hier bleiben" }).click();
  assert.equal(await link(page).getAttribute("href"), PRIVATE_PAGE);
  const history = await page.evaluate(() => JSON.stringify(window.history.state));
  assert.ok(!history.includes("anfrage"), `tag managers report the history entry: ${history}`);

  await reload(page);
  await link(page).hover();
  await link(page).focus();
  assert.deepEqual(opened, [], "nothing fetches the page before the visitor opens it");
  await link(page).click();
  await page.waitForURL(PRIVATE_PAGE);
  assert.deepEqual(opened, ["document"]);
  assert.deepEqual(complaints, []);
});

test("where no firm is configured, the visitor consents only to calls from the operator", async () => {
  const { page } = await visit(stage.browser, byHand.site.url);
  await accept(page, null);
  await answerAll(page);
  assert.ok(await page.getByText(consent.by_hand.text).isVisible());
  assert.equal(await page.getByText(consent.text).count(), 0);
  const sent = page.waitForRequest(INQUIRIES);
  await send(page).click();
  assert.equal((await sent).headers()["form-consent"], String(consent.by_hand.version));
});

test("additions and consent are sent along, also when the inquiry is sent again", async () => {
  const { page } = await stage.visit();
  await answerAll(page);
  assert.ok(await page.getByText(consent.text).isVisible());
  await back(page).click();
  await progress(page, 4).waitFor();
  assert.equal(await page.getByText(consent.text).count(), 0);
  await page.getByLabel("Sonstiges").check();
  await page.getByLabel("Bitte beschreiben").fill("Gaube über der Küche, 3 € in die Hand");
  await onward(page).click();
  await progress(page, 5).waitFor();
  await page.route(INQUIRIES, (route) => route.fulfill(unavailable));
  const first = page.waitForRequest(INQUIRIES);
  await send(page).click();
  const { "form-additions": additions = "", ...headers } = (await first).headers();
  assert.equal(decodeURIComponent(additions), "Gebäude: Haus\nStelle: Gaube über der Küche, 3 € in die Hand");
  assert.equal(headers["form-consent"], String(consent.version));
  await alert(page, "Der Speicher ist voll.").waitFor();

  await page.unroute(INQUIRIES);
  await accept(page, null);
  const second = page.waitForRequest(INQUIRIES);
  await page.goto("/faq");
  const again = (await second).headers();
  for (const name of ["idempotency-key", "form-consent"]) assert.equal(again[name], headers[name], name);
  assert.equal(again["form-additions"], additions);
  await delivered(page).waitFor();
});
