import assert from "node:assert/strict";
import { test } from "node:test";
import { wordsInFiles } from "./support/files.ts";
import { assertProper, links, privateLink } from "./support/mail-rules.ts";
import { heading } from "./support/questionnaire.ts";
import { referringFor } from "./support/referrals.ts";
import { load } from "./support/settled.ts";
import { killAndRestart } from "./support/site.ts";

const ADDRESS = "aenne@kranich.example";
const SUBJECT = "Bitte bestätigen Sie Ihre Anmeldung zum Newsletter";

test("a subscription takes effect after a click in the mail, and ends after another", async (t) => {
  const { site, mails, visit } = await referringFor(t, []);
  const { page } = await visit();
  const subscribers = async () => {
    const list = JSON.parse(await site.run("newsletter", "export", "--format", "json")) as { email_address: string }[];
    return list.map(({ email_address }) => email_address);
  };

  await load(page, "/blog");
  await page.getByLabel("E-Mail-Adresse").fill(ADDRESS);
  await page.getByRole("button", { name: "Anmelden" }).click();
  await page.getByRole("status").filter({ hasText: "Bitte bestätigen Sie Ihre Anmeldung" }).waitFor();
  await killAndRestart(site);
  const mail = await mails.to(ADDRESS, SUBJECT);
  assertProper(mail, site.url);
  const confirm = privateLink(mail, "/newsletter/");
  for (let times = 0; times < 3; times += 1) {
    for (const address of links(mail).filter((link) => link.startsWith(site.url)))
      assert.equal((await fetch(address)).status, 200);
  }
  assert.deepEqual(await subscribers(), [], "mail scanners confirm nothing");

  await page.goto(confirm);
  await heading(page, "Newsletter bestellen").waitFor();
  await killAndRestart(site);
  await page.getByRole("button", { name: "Anmeldung bestätigen" }).click();
  await heading(page, "Ihre Anmeldung ist bestätigt").waitFor();
  await site.crash();
  assert.deepEqual(await subscribers(), [ADDRESS]);
  await site.restart();
  assert.deepEqual(await subscribers(), [ADDRESS]);

  const exported = await site.run("newsletter", "export", "--format", "json", "--public-url", site.url);
  const [{ unsubscribe_link: end }] = JSON.parse(exported) as [{ unsubscribe_link: string }];
  assert.notEqual(end.split("/").at(-1), confirm.split("/").at(-1), "a link that confirms ends nothing");
  await page.goto(end);
  await heading(page, "Newsletter abbestellen").waitFor();
  assert.deepEqual(await subscribers(), [ADDRESS]);
  await page.getByRole("button", { name: "Abmelden" }).click();
  await heading(page, "Sie sind abgemeldet").waitFor();
  await site.crash();
  assert.deepEqual(await wordsInFiles(site.data, [ADDRESS]), []);
  await site.restart();
  assert.deepEqual(await subscribers(), []);
  assert.equal((await site.run("person", ADDRESS)).trim(), "[]");
  for (const word of [ADDRESS, confirm.split("/").at(-1) ?? ""]) assert.ok(!site.log().includes(word), word);
});
