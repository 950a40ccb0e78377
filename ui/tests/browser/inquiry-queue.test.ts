import assert from "node:assert/strict";
import { test } from "node:test";
import { holdBack } from "./support/deferred.ts";
import {
  delivered,
  failToSend,
  failToSendAndGoOn,
  sendWithoutResponse,
  unavailable,
  watchInquiries,
} from "./support/failed-sending.ts";
import { errorAnswer, INQUIRIES } from "./support/inquiries.ts";
import { alert, answerAll, describePlace, heading, onward, progress, send, sendOff } from "./support/questionnaire.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

/** Returns all stored inquiries, because a page that was reloaded a moment ago may look like a robot's. */
const stored = () => stage.site.stored("--include-suspected");

for (const isReceived of [false, true]) {
  const fate = isReceived ? "the server has received it" : "the server has not received it";
  test(`closing the tab while it sends neither loses nor duplicates the inquiry (${fate})`, async () => {
    const { context, page } = await stage.visit();
    const sent = watchInquiries(context);
    const before = (await stored()).length;
    await sendWithoutResponse(page, isReceived);
    await page.close();

    const later = await context.newPage();
    await later.goto("/");
    await delivered(later).waitFor();
    await later.getByText("Referenznummer").waitFor();
    await later.reload();
    await later.waitForLoadState("networkidle");
    assert.equal((await stored()).length, before + 1);
    assert.equal(sent.length, 2);
    assert.deepEqual(sent[1], sent[0]);
    assert.deepEqual(
      await later.evaluate(() => Object.values(localStorage).filter((value) => String(value).includes("aenne"))),
      [],
      "the browser keeps no personal data after the delivery",
    );
  });
}

test("after a reload while sending, the same inquiry is delivered, and Absenden does not send another", async () => {
  const { page } = await stage.visit();
  const before = (await stored()).length;
  await sendWithoutResponse(page, true);
  // Holds the delivery back until the form has loaded: if it came first, there would be nothing left to send.
  const deliver = await holdBack(page, INQUIRIES);
  const delivery = page.waitForRequest(INQUIRIES);
  await page.reload();
  await page.getByLabel("Vorname").waitFor();
  await delivery;
  deliver();
  await delivered(page).waitFor();
  await sendOff(page);
  assert.equal((await stored()).length, before + 1);
});

test("a proxy's error page is not a rejection: the inquiry is kept and delivered later", async () => {
  const { page } = await stage.visit();
  const before = (await stored()).length;
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
  assert.equal((await stored()).length, before + 1);
});

test("the thank-you page shows when a pending inquiry has been delivered, even after a reload", async () => {
  const { page } = await stage.visit();
  await failToSendAndGoOn(page);
  await page.getByText("konnte noch nicht übermittelt werden").waitFor();
  await page.unroute(INQUIRIES);
  await page.goto("/faq");
  const link = delivered(page).getByRole("link", { name: "Ihre Anfrage ansehen" });
  const address = (await link.getAttribute("href")) ?? "";
  assert.match(address, /^\/anfrage\//);
  await page.goBack();
  await page.getByText("innerhalb von 6 Stunden").first().waitFor();
  await page.getByRole("main").locator(`a[href="${address}"]`).waitFor();
  await page.getByRole("main").getByText("Referenznummer").waitFor();
  await page.reload();
  await page.getByRole("main").getByText("Referenznummer").waitFor();
  assert.equal(await page.getByText("konnte noch nicht übermittelt werden").count(), 0);
});

test("the thank-you page promises nothing about an inquiry that was rejected later", async () => {
  const { page } = await stage.visit();
  await failToSendAndGoOn(page);
  await page.unroute(INQUIRIES);
  await page.route(INQUIRIES, (route) => route.fulfill(errorAnswer(400, "Ungültige Telefonnummer")));
  await page.reload();
  await heading(page, "Ihre Anfrage wurde nicht angenommen").waitFor();
  await page.getByRole("main").getByText("Ungültige Telefonnummer").waitFor();
  await page.reload();
  await heading(page, "Ihre Anfrage wurde nicht angenommen").waitFor();
  assert.equal(await page.getByText("geht nicht verloren").count(), 0);
});

test("the thank-you page says if an inquiry was given up after seven days, or is no longer in the browser", async () => {
  const { page } = await stage.visit();
  await failToSendAndGoOn(page);
  await page.evaluate(() => {
    const eightDays = 8 * 24 * 60 * 60 * 1000;
    for (const [name, text] of Object.entries(localStorage).filter(([name]) => name.startsWith("inquiry-outbox:"))) {
      const entry = JSON.parse(String(text)) as { createdAt: string };
      const createdAt = new Date(Date.parse(entry.createdAt) - eightDays).toISOString();
      localStorage.setItem(name, JSON.stringify({ ...entry, createdAt }));
    }
  });
  await page.reload();
  await heading(page, "Ihre Anfrage wird nicht mehr gesendet").waitFor();
  await page.reload();
  await heading(page, "Ihre Anfrage wird nicht mehr gesendet").waitFor();
  await page.evaluate(() => {
    for (const name of Object.keys(localStorage).filter((name) => name.startsWith("inquiry-outbox:")))
      localStorage.removeItem(name);
  });
  await page.reload();
  await page.getByText("auf diesem Gerät nicht mehr gespeichert").waitFor();
  assert.equal(await page.getByText("geht nicht verloren").count(), 0);
});

for (const [name, answer, saying] of [
  ["a server that cannot store it", unavailable, "automatisch erneut gesendet"],
  ["a rejection", errorAnswer(400, "Ungültige Telefonnummer"), "Angaben stehen noch im Fragebogen"],
] as const) {
  test(`a visitor who has left the form learns what happens to the inquiry: ${name}`, async () => {
    const { page } = await stage.visit();
    await answerAll(page);
    const release = await holdBack(page, INQUIRIES, (route) => route.fulfill(answer));
    await send(page).click();
    await page.getByRole("button", { name: "Wird gesendet..." }).waitFor();
    await page.getByRole("banner").getByRole("link", { name: "Blog" }).click();
    await page.waitForURL("/blog");
    release();
    await alert(page, saying).waitFor();
    assert.equal(await page.getByText("versuchen Sie es später").count(), 0, "a retry would send a second inquiry");
    const draft = await page.evaluate(() => sessionStorage.getItem("questionnaire"));
    assert.equal(draft === null, answer === unavailable);
  });
}

test("an inquiry corrected after a failure is delivered only in its corrected form", async () => {
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
  await sendOff(page);
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

test("a correction of only the free text is not lost, although the server already has the inquiry", async () => {
  const { page } = await stage.visit();
  const before = (await stored()).length;
  await answerAll(page);
  await describePlace(page, "Gaube");
  // The server stores it, but its response is lost.
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
  await describePlace(page, "Gaube über der Küche");
  await sendOff(page);
  await page.getByRole("link", { name: "Ihre Anfrage ansehen" }).click();
  await page.getByText("Gaube über der Küche").first().waitFor();
  assert.equal((await stored()).length - before, 2, "the operator has both, the corrected one later");
});
