import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { PHONE } from "./support/browser.ts";
import { wordsInFiles } from "./support/files.ts";
import { assertHides, assertProper, privateLink, withoutRepetitions } from "./support/mail-rules.ts";
import type { Mail } from "./support/mail-sink.ts";
import { answerAs, heading, sendOff } from "./support/questionnaire.ts";
import { FIRM_PHONE, firmAddress, firmName, OPERATOR, referringFor, VISITOR } from "./support/referrals.ts";
import { killAndRestart, type Site } from "./support/site.ts";

const FIRMS = ["nord", "sued", "west"] as const;

const TYPED = "Gaube über der Küche";
const ADDED = "Nur mit Hubsteiger: Zufahrt über den Kräutergarten";
const PERSON = Object.values(VISITOR);
const EVERYTHING = [...PERSON, TYPED, ADDED];

/** Returns what the operator sees of an inquiry, except for the progress of pending deliveries. */
async function standing(site: Site, id: string): Promise<unknown> {
  const all = JSON.parse(await site.run("inquiries", "show", id, "--json")) as { deliveries: { kind: string }[] };
  return { ...all, deliveries: all.deliveries.map(({ kind }) => kind) };
}

/** Returns the state that the visitor's page shows for each firm. */
const states = (page: Page) => page.locator(".private-page-state").allTextContents();

test("an inquiry reaches three firms, is accepted, completed and withdrawn, through crashes at every step", async (t) => {
  const { site, mails, webhook, visit } = await referringFor(t, FIRMS);
  const { page } = await visit(PHONE);
  const firm = (await visit()).page;

  // The visitor sends an inquiry.
  await answerAs(page, VISITOR, TYPED);
  await killAndRestart(site);
  const release = [mails.mails.hold(), webhook.calls.hold()];
  await sendOff(page);
  await page.getByRole("button", { name: "Hier bleiben" }).click();
  const reference = (await page.locator(".thanks-number").textContent()) ?? "";

  // The server is killed after mails and webhook calls arrive but before it records that, so the same ones must come again.
  await mails.to(OPERATOR, "Neue Anfrage aus 20095: Wohngebäude");
  const created = await webhook.of("inquiry.created");
  await site.crash();
  const unacknowledged = [...mails.mails.all];
  for (const answer of release) answer();
  await site.restart();
  for (const mail of unacknowledged)
    await mails.mails.first(
      "its repetition",
      (other) => other !== mail && other.email.messageId === mail.email.messageId,
    );
  const [call] = webhook.calls.all;
  await webhook.calls.first("the call's repetition", (other) => other !== call && other.id === call?.id);

  // Everybody is notified, each with only what they may know.
  const received = await mails.to(VISITOR["E-Mail-Adresse"], "Ihre Anfrage bei Taubenabwehr Hamburg ist eingegangen");
  const requests: Mail[] = [];
  for (const id of FIRMS)
    requests.push(await mails.to(firmAddress(id), "Anfrage zur Taubenabwehr in 20095 Hamburg-Altstadt: Wohngebäude"));
  const [id = ""] = (await site.stored()).map(({ id }) => id);
  assert.equal(id.slice(-12), reference);
  assert.equal(created.data.id, id);
  assert.equal(created.data.last_name, VISITOR.Nachname);
  assert.deepEqual(
    created.data.firms.map(({ id, state }) => [id, state]),
    FIRMS.map((id) => [id, "pending"]),
  );
  const news = await mails.to(OPERATOR, "Neue Anfrage aus 20095: Wohngebäude");
  for (const word of [...PERSON, TYPED, ...FIRMS.map(firmName)]) assert.ok(news.email.text?.includes(word), word);
  assertHides(received, [...PERSON, TYPED]);
  for (const [index, request] of requests.entries()) {
    assertHides(request, PERSON);
    assert.ok(request.email.text?.includes(TYPED));
    assert.deepEqual(request.email.to?.[0]?.name, firmName(FIRMS[index] ?? ""));
  }

  // The visitor opens the private page.
  const ownPage = page.getByRole("main").getByRole("link", { name: "Ihre Anfrage ansehen" });
  const own = new URL((await ownPage.getAttribute("href")) ?? "", site.url).href;
  assert.equal(privateLink(received, "/anfrage/"), own);
  await ownPage.click();
  await page.waitForURL(own);
  await heading(page, "Wir haben 3 Betriebe für Sie gefragt").waitFor();
  assert.deepEqual(await states(page), ["angefragt", "angefragt", "angefragt"]);
  assert.match(await page.getByLabel("Angaben ergänzen").inputValue(), new RegExp(TYPED));

  // Mail scanners open every link.
  const pages = requests.map((request) => privateLink(request, "/betrieb/"));
  const before = await standing(site, id);
  for (const address of [...pages, own, `${own}/zurueckziehen`]) {
    for (let times = 0; times < 3; times += 1) assert.equal((await fetch(address)).status, 200);
  }
  assert.deepEqual(await standing(site, id), before, "opening links changes nothing");

  // One firm accepts, another declines.
  await firm.goto(pages[0] ?? "");
  await heading(firm, "Anfrage aus 20095").waitFor();
  const question = await firm.content();
  for (const word of PERSON) assert.ok(!question.includes(word), word);
  await killAndRestart(site);
  await firm.getByRole("button", { name: "Annehmen und Kontaktdaten ansehen" }).click();
  await heading(firm, "Sie haben die Anfrage angenommen").waitFor();
  await killAndRestart(site);
  await firm.reload();
  const contact = firm.getByRole("main");
  for (const word of PERSON) await contact.getByText(word).first().waitFor();

  const accepted = await mails.to(VISITOR["E-Mail-Adresse"], `${firmName("nord")} hat Ihre Anfrage angenommen`);
  for (const word of [FIRM_PHONE, firmAddress("nord"), "https://nord.example"])
    assert.ok(accepted.email.text?.includes(word), word);
  const told = await webhook.of("inquiry.accepted");
  assert.deepEqual(
    told.data.firms.map(({ state }) => state),
    ["accepted", "pending", "pending"],
  );
  await firm.goto(pages[1] ?? "");
  await firm.getByRole("button", { name: "Ablehnen" }).click();
  await heading(firm, "Sie haben die Anfrage abgelehnt").waitFor();
  await killAndRestart(site);
  await webhook.of("inquiry.declined");

  // The visitor sees it, and adds something.
  await page.goto(privateLink(accepted, "/anfrage/"));
  await heading(page, "Ein Betrieb hat Ihre Anfrage angenommen").waitFor();
  assert.deepEqual(await states(page), ["angenommen", "abgelehnt", "angefragt"]);
  assert.deepEqual(
    await page
      .locator(".private-page-contact a")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href"))),
    ["tel:+494098765", `mailto:${firmAddress("nord")}`, "https://nord.example"],
  );
  await page.getByLabel("Angaben ergänzen").fill(`${TYPED}. ${ADDED}`);
  await killAndRestart(site);
  await page.getByRole("button", { name: "Speichern" }).click();
  await page.locator("[role=status]:focus").filter({ hasText: "Gespeichert." }).waitFor();
  await killAndRestart(site);
  const stillAsked = [FIRMS[0], FIRMS[2]];
  for (const id of stillAsked) {
    const addition = await mails.to(firmAddress(id), `Ergänzung zur Anfrage ${reference} aus 20095`);
    assert.ok(addition.email.text?.includes(ADDED));
    assertHides(addition, PERSON);
  }
  await firm.goto(pages[2] ?? "");
  await firm.getByText(ADDED).waitFor();

  // The visitor withdraws the inquiry.
  await page.getByRole("button", { name: "Anfrage zurückziehen" }).click();
  await heading(page, "Möchten Sie Ihre Anfrage zurückziehen?").waitFor();
  await killAndRestart(site);
  assert.deepEqual(await wordsInFiles(site.data, EVERYTHING), EVERYTHING, "until then, all of it is kept");
  await page.getByRole("button", { name: "Anfrage zurückziehen" }).click();
  await heading(page, "Ihre Anfrage ist zurückgezogen").waitFor();
  await site.crash();
  assert.deepEqual(await wordsInFiles(site.data, EVERYTHING), [], "after it, nothing, not even in free pages");
  await site.restart();
  for (const id of FIRMS)
    assertHides(await mails.to(firmAddress(id), `Anfrage ${reference} wurde zurückgezogen: bitte löschen`), EVERYTHING);
  assertHides(await mails.to(OPERATOR, `Anfrage ${reference} wurde zurückgezogen`), EVERYTHING);
  const withdrawn = await webhook.of("inquiry.withdrawn");
  assert.deepEqual(Object.keys(withdrawn.data).sort(), ["firms", "id"]);

  for (const address of pages) {
    await firm.goto(address);
    await heading(firm, "Die Anfrage wurde zurückgezogen").waitFor();
    const content = await firm.content();
    for (const word of EVERYTHING) assert.ok(!content.includes(word), word);
  }
  await page.reload();
  await heading(page, "Ihre Anfrage ist zurückgezogen").waitFor();

  assert.deepEqual(await site.stored("--include-suspected"), []);
  assert.equal((await site.run("person", VISITOR["E-Mail-Adresse"])).trim(), "[]");
  await site.crash();
  assert.deepEqual(await wordsInFiles(site.data, EVERYTHING), []);
  const tokens = [own, ...pages].map((address) => address.split("/").at(-1) ?? "");
  for (const word of [...EVERYTHING, ...tokens]) assert.ok(!site.log().includes(word), `the log holds ${word}`);

  // Everybody received every message, exactly once.
  for (const mail of mails.mails.all) assertProper(mail, site.url);
  // The mail that confirms the withdrawal is kept only in memory, because the address is erased: a crash may lose it.
  const goodbye = `${VISITOR["E-Mail-Adresse"]}: Ihre Anfrage ${reference} ist zurückgezogen`;
  assert.deepEqual(
    withoutRepetitions(mails.mails.all).filter((line) => line !== goodbye),
    [
      `${OPERATOR}: Neue Anfrage aus 20095: Wohngebäude (${reference})`,
      `${OPERATOR}: Anfrage ${reference} wurde zurückgezogen`,
      `${OPERATOR}: ${firmName("nord")} übernimmt die Anfrage ${reference} aus 20095`,
      `${firmAddress("nord")}: Ihre Zusage: Kontaktdaten zur Anfrage ${reference} aus 20095 Hamburg-Altstadt`,
      ...FIRMS.map(
        (id) => `${firmAddress(id)}: Anfrage zur Taubenabwehr in 20095 Hamburg-Altstadt: Wohngebäude (${reference})`,
      ),
      ...FIRMS.map((id) => `${firmAddress(id)}: Anfrage ${reference} wurde zurückgezogen: bitte löschen`),
      ...stillAsked.map((id) => `${firmAddress(id)}: Ergänzung zur Anfrage ${reference} aus 20095 Hamburg-Altstadt`),
      `${VISITOR["E-Mail-Adresse"]}: Ihre Anfrage bei Taubenabwehr Hamburg ist eingegangen`,
      `${VISITOR["E-Mail-Adresse"]}: ${firmName("nord")} hat Ihre Anfrage angenommen`,
    ].sort(),
  );
  assert.deepEqual(webhook.refused, []);
  const calls = new Map(webhook.calls.all.map(({ id, event }) => [id, event.type]));
  assert.deepEqual(
    [...calls.values()].sort(),
    ["inquiry.accepted", "inquiry.created", "inquiry.declined", "inquiry.withdrawn"],
    "each event has one id, however often it was told",
  );
});
