import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { deferred } from "./support/deferred.ts";
import { errorAnswer, INQUIRIES } from "./support/inquiries.ts";
import { alert, answerAll, heading, onward, progress, send } from "./support/questionnaire.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

const delivered = (page: Page) => page.getByRole("status").filter({ hasText: "Ihre Anfrage wurde übermittelt" });
const unavailable = errorAnswer(503, "Der Speicher ist voll.");

/** The keys of all inquiries that any tab sends. */
function watchKeys(context: BrowserContext): (string | undefined)[] {
  const keys: (string | undefined)[] = [];
  context.on("request", (request) => {
    if (request.url().endsWith("/rest/v1/inquiries")) keys.push(request.headers()["idempotency-key"]);
  });
  return keys;
}

/** Presses Absenden; the request hangs, after the server has or has not had it. Later ones do not. */
async function sendIntoTheVoid(page: Page, isReceived: boolean): Promise<void> {
  await answerAll(page);
  const { promise: sent, resolve } = deferred();
  await page.route(
    INQUIRIES,
    async (route) => {
      if (isReceived) await route.fetch();
      resolve();
    },
    { times: 1 },
  );
  await send(page).click();
  await page.getByRole("button", { name: "Wird gesendet..." }).waitFor();
  await sent;
}

/** Answers everything, sends it to a server that cannot store it, and waits for the page that is to be shown then. */
async function sendInVain(page: Page): Promise<void> {
  await answerAll(page);
  await page.route(INQUIRIES, (route) => route.fulfill(unavailable));
  await send(page).click();
  await alert(page, "Der Speicher ist voll.").waitFor();
}

for (const isReceived of [false, true]) {
  const fate = isReceived ? "the server has it, the answer is lost" : "the server has never had it";
  test(`a tab that is closed while it sends loses nothing and doubles nothing (${fate})`, async () => {
    const { context, page } = await stage.visit();
    const keys = watchKeys(context);
    const before = (await stage.site.stored()).length;
    await sendIntoTheVoid(page, isReceived);
    await page.close();

    const later = await context.newPage();
    await later.goto("/");
    await delivered(later).waitFor();
    await later.getByText("Referenznummer").waitFor();
    await later.reload();
    await later.waitForLoadState("networkidle");
    assert.equal((await stage.site.stored()).length, before + 1);
    assert.equal(keys.length, 2);
    assert.equal(keys[1], keys[0]);
    assert.deepEqual(
      await later.evaluate(() => Object.values(localStorage).filter((value) => String(value).includes("aenne"))),
      [],
      "nothing of the visitor is kept any longer than it must be",
    );
    await context.close();
  });
}

test("a page that is reloaded while it sends delivers the same inquiry, and Absenden does not send another", async () => {
  const { context, page } = await stage.visit();
  const before = (await stage.site.stored()).length;
  await sendIntoTheVoid(page, true);
  await page.reload();
  await delivered(page).waitFor();
  await send(page).click();
  await page.waitForURL("/danke");
  assert.equal((await stage.site.stored()).length, before + 1);
  await context.close();
});

test("an error page of a proxy is no refusal: the inquiry is kept and delivered later", async () => {
  const { context, page } = await stage.visit();
  const before = (await stage.site.stored()).length;
  await answerAll(page);
  await page.route(INQUIRIES, (route) =>
    route.fulfill({ status: 403, contentType: "text/html", body: "<h1>Forbidden</h1>" }),
  );
  await send(page).click();
  await alert(page, "Unerwarteter Fehler").waitFor();
  await page.getByText("auf diesem Gerät gespeichert").waitFor();
  await page.unroute(INQUIRIES);
  await page.goto("/");
  await delivered(page).waitFor();
  assert.equal((await stage.site.stored()).length, before + 1);
  await context.close();
});

test("an inquiry that was corrected after it failed is delivered as corrected, and only so", async () => {
  const { context, page } = await stage.visit();
  const before = (await stage.site.stored()).length;
  await page.clock.install();
  await sendInVain(page);
  await page.goBack();
  await progress(page, 4).waitFor();
  await onward(page).click();
  await page.getByLabel("Vorname").fill("Anna");
  await page.unroute(INQUIRIES);
  // The server is back, but what is being corrected must not be sent.
  await page.clock.fastForward(120_000);
  await page.waitForLoadState("networkidle");
  await send(page).click();
  await page.waitForURL("/danke");
  await page.goto("/faq");
  await page.waitForLoadState("networkidle");
  const names = (await stage.site.stored()).slice(before).map((inquiry) => inquiry.first_name);
  assert.deepEqual(names, ["Anna"]);
  await context.close();
});

test("who begins to correct and then leaves has the inquiry delivered as it was", async () => {
  const { context, page } = await stage.visit();
  const before = (await stage.site.stored()).length;
  await page.clock.install();
  await sendInVain(page);
  await page.goBack();
  await progress(page, 4).waitFor();
  await page.getByLabel("Dach").check();
  await page.unroute(INQUIRIES);
  await page.getByRole("banner").getByRole("link", { name: "Blog" }).click();
  await page.waitForURL("/blog");
  await page.clock.fastForward(120_000);
  await delivered(page).waitFor();
  assert.equal((await stage.site.stored())[before]?.problem_locations, "balcony");
  await context.close();
});

test("delivery goes on in a browser that refuses its locks", async () => {
  const { context, page } = await stage.visit();
  const before = (await stage.site.stored()).length;
  await context.addInitScript(() => {
    LockManager.prototype.request = () => Promise.reject(new DOMException("denied", "SecurityError"));
  });
  await page.clock.install();
  await sendInVain(page);
  await page.clock.fastForward(60_000);
  await page.waitForURL("/danke");
  await page.unroute(INQUIRIES);
  await page.clock.fastForward(120_000);
  await delivered(page).waitFor();
  assert.equal((await stage.site.stored()).length, before + 1);
  await context.close();
});

test("an inquiry that today's version had left in the browser is delivered", async () => {
  const { context, page } = await stage.visit();
  const before = (await stage.site.stored()).length;
  await page.goto("/impressum");
  await page.evaluate(() => {
    const key = "8a1d9e62-6f0e-4b5c-9d3a-0c1b2a394857";
    const now = Date.now();
    const record = {
      created_at: new Date(now - 60_000).toISOString(),
      postal_code: "20095",
      property_type: "residential",
      types_of_problems: "nesting",
      problem_locations: "",
      first_name: "Früher",
      last_name: "Groß",
      email_address: "aenne@example.de",
      phone_number: "+49 40 1234567",
    };
    const entry = {
      key,
      body: JSON.stringify([record]),
      createdAt: record.created_at,
      report: { fillTime: 41_250, isTrapFilled: false },
      queuedAt: now - 60_000,
      attempts: 1,
      notBefore: now - 60_000,
      retryAt: now - 45_000,
    };
    localStorage.setItem(`inquiry-outbox:${key}`, JSON.stringify(entry));
  });
  const request = page.waitForRequest(INQUIRIES);
  await page.reload();
  assert.equal((await request).headers()["form-fill-time"], "41250");
  await delivered(page).waitFor();
  assert.equal((await stage.site.stored())[before]?.first_name, "Früher");
  await context.close();
});

test("the thank-you page knows what became of a pending inquiry, also after a reload", async () => {
  const { context, page } = await stage.visit();
  await sendInVain(page);
  await page.waitForURL("/danke");
  await page.getByText("konnte noch nicht übermittelt werden").waitFor();
  await page.unroute(INQUIRIES);
  await page.goto("/faq");
  await delivered(page).waitFor();
  await page.goBack();
  await page.getByText("innerhalb von 6 Stunden bis zu 3 Angebote").first().waitFor();
  await page.getByText("Referenznummer").waitFor();
  await page.reload();
  await page.getByRole("main").getByText("Referenznummer").waitFor();
  assert.equal(await page.getByText("konnte noch nicht übermittelt werden").count(), 0);
  await context.close();
});

test("the thank-you page does not promise anything of an inquiry that was refused later", async () => {
  const { context, page } = await stage.visit();
  await sendInVain(page);
  await page.waitForURL("/danke");
  await page.unroute(INQUIRIES);
  await page.route(INQUIRIES, (route) => route.fulfill(errorAnswer(400, "Ungültige Telefonnummer")));
  await page.reload();
  await heading(page, "Ihre Anfrage wurde nicht angenommen").waitFor();
  await page.getByRole("main").getByText("Ungültige Telefonnummer").waitFor();
  await page.reload();
  await heading(page, "Ihre Anfrage wurde nicht angenommen").waitFor();
  assert.equal(await page.getByText("geht nicht verloren").count(), 0);
  await context.close();
});

test("the thank-you page says when an inquiry was given up after seven days, and when nothing is known of it", async () => {
  const { context, page } = await stage.visit();
  await sendInVain(page);
  await page.waitForURL("/danke");
  await page.evaluate(() => {
    const week = 8 * 24 * 60 * 60 * 1000;
    for (const [name, text] of Object.entries(localStorage).filter(([name]) => name.startsWith("inquiry-outbox:"))) {
      const entry = JSON.parse(String(text)) as { queuedAt: number };
      localStorage.setItem(name, JSON.stringify({ ...entry, queuedAt: entry.queuedAt - week }));
    }
  });
  await page.reload();
  await heading(page, "Ihre Anfrage konnte nicht übermittelt werden").waitFor();
  await page.reload();
  await heading(page, "Ihre Anfrage konnte nicht übermittelt werden").waitFor();
  await page.evaluate(() => {
    for (const name of Object.keys(localStorage).filter((name) => name.startsWith("inquiry-outbox:")))
      localStorage.removeItem(name);
  });
  await page.reload();
  await page.getByText("auf diesem Gerät nicht mehr gespeichert").waitFor();
  assert.equal(await page.getByText("geht nicht verloren").count(), 0);
  await context.close();
});

for (const [name, answer, saying] of [
  ["a server that cannot store it", unavailable, "automatisch erneut gesendet"],
  ["a refusal", errorAnswer(400, "Ungültige Telefonnummer"), "Angaben stehen noch im Fragebogen"],
] as const) {
  test(`who has left the form is told what becomes of the inquiry: ${name}`, async () => {
    const { context, page } = await stage.visit();
    await answerAll(page);
    const { promise: released, resolve: release } = deferred();
    await page.route(INQUIRIES, async (route) => {
      await released;
      await route.fulfill(answer);
    });
    await send(page).click();
    await page.getByRole("button", { name: "Wird gesendet..." }).waitFor();
    await page.getByRole("banner").getByRole("link", { name: "Blog" }).click();
    await page.waitForURL("/blog");
    release();
    await alert(page, saying).waitFor();
    assert.equal(await page.getByText("versuchen Sie es später").count(), 0, "who tries again sends a second one");
    const draft = await page.evaluate(() => sessionStorage.getItem("questionnaire"));
    assert.equal(draft === null, answer === unavailable);
    await context.close();
  });
}
