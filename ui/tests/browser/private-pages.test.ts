import assert from "node:assert/strict";
import { before, test } from "node:test";
import { HtmlValidate } from "html-validate";
import { CALM, violations } from "./support/axe.ts";
import { DESKTOP, PHONE } from "./support/browser.ts";
import { fillTemplates, type FilledTemplates, showMail, showPrivatePage } from "./support/filled-templates.ts";
import { HTML_RULES, MAIL_RULES } from "./support/html-rules.ts";
import { tornTexts } from "./support/measure.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

let filled: FilledTemplates;
before(async () => {
  filled = await fillTemplates();
});

test("axe finds nothing on any private page, in any state", async () => {
  const { context, page } = await stage.visit(CALM);
  const found: string[] = [];
  for (const [name, html] of Object.entries(filled.pages)) {
    await showPrivatePage(page, name, html);
    found.push(...(await violations(page)).map((line) => `${name} ${line}`));
  }
  await context.close();
  assert.ok(Object.keys(filled.pages).length > 25);
  assert.deepEqual(found, []);
});

test("axe finds nothing in any mail", async () => {
  const { context, page } = await stage.visit(CALM);
  const found: string[] = [];
  for (const [name, { html }] of Object.entries(filled.mails)) {
    await showMail(page, name, html);
    found.push(...(await violations(page)).map((line) => `${name} ${line}`));
  }
  await context.close();
  assert.deepEqual(found, []);
});

test("the HTML of private pages and mails is valid", async () => {
  const found: string[] = [];
  const check = async (name: string, html: string, rules: typeof HTML_RULES) => {
    const { results } = await new HtmlValidate(rules).validateString(html, name);
    const messages = results.flatMap((result) => result.messages);
    found.push(...messages.map(({ ruleId, message, line }) => `${name}:${line} ${ruleId}: ${message}`));
  };
  for (const [name, html] of Object.entries(filled.pages)) await check(name, html, HTML_RULES);
  for (const [name, { html }] of Object.entries(filled.mails)) await check(`mail ${name}`, html, MAIL_RULES);
  assert.deepEqual(found, []);
});

/** What people and firms write, and as long as they may. */
const LONG = [
  ["Dritter Stock", "x".repeat(200)],
  [">auftrag@nordnetz.example<", `>${"sehr-langer-name".repeat(5)}@schaedlingsbekaempfung-hamburg-altona.example<`],
  [">www.nordnetz.example<", `>www.${"taubenabwehr".repeat(8)}.example<`],
  ["Nordnetz", "Donaudampfschifffahrtsgesellschaftskapitänstaubenabwehr"],
  ["Weiß-Krüger", "Leutheusser-Schnarrenberger-von-Hohenzollern-Sigmaringen"],
  [/(?<=>)[^<>@ ]+@[^<>@ ]+(?=<)/g, `${"langer-name".repeat(6)}@beispiel.example`],
] as const;

test("no private page or mail is wider than a small phone, even with long words", async () => {
  const { context, page } = await stage.visit({ ...PHONE, viewport: { width: 320, height: 640 } });
  const found: string[] = [];
  const look = async (name: string) => {
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > 320) found.push(`${name}: ${width}`);
  };
  for (const [name, html] of Object.entries(filled.pages)) {
    await showPrivatePage(
      page,
      name,
      LONG.reduce((text, [word, long]) => text.replaceAll(word, long), html),
    );
    await look(name);
  }
  for (const [name, { html }] of Object.entries(filled.mails)) {
    await showMail(page, name, html.replaceAll("Dritter Stock", "x".repeat(200)));
    await look(`mail ${name}`);
  }
  await context.close();
  assert.deepEqual(found, []);
});

test("no private page tears a sentence into columns", async () => {
  const found: string[] = [];
  for (const options of [PHONE, DESKTOP]) {
    const { context, page } = await stage.visit(options);
    for (const [name, html] of Object.entries(filled.pages)) {
      await showPrivatePage(page, name, html);
      found.push(...(await tornTexts(page)).map((line) => `${name}: ${line}`));
    }
    await context.close();
  }
  assert.deepEqual(found, []);
});

test("a firm's answer is in reach of a thumb, whatever is on the page", async () => {
  const { context, page } = await stage.visit(PHONE);
  await showPrivatePage(page, "firm-open", filled.pages["firm-open"] ?? "");
  for (const name of ["Für 25,00 € netto annehmen", "Ablehnen"]) {
    const button = page.getByRole("button", { name, exact: true });
    const box = await button.boundingBox();
    assert.ok(box && box.y > 400 && box.y + box.height <= 844, `${name} is at ${JSON.stringify(box)}`);
    assert.ok(box.height >= 48 && box.width > 300, `${name} is ${box.width} by ${box.height}`);
  }
  const cost = await page.getByText("wird daraus ein Auftrag").boundingBox();
  assert.ok(cost && cost.y > 400 && cost.y + cost.height <= 844, `the price is at ${JSON.stringify(cost)}`);
  await showPrivatePage(page, "firm-open-bare", filled.pages["firm-open-bare"] ?? "");
  await page.getByRole("button", { name: "Annehmen und Kontaktdaten ansehen", exact: true }).waitFor();
  await context.close();
});

test("forms send what the server expects, without any script", async () => {
  const { context, page } = await stage.visit({ ...DESKTOP, javaScriptEnabled: false });
  const sent = async (name: string, button: string) => {
    await showPrivatePage(page, name, filled.pages[name] ?? "");
    // The site's name is not that of the sample, whose addresses the pages hold.
    const request = page.waitForRequest((one) => one.isNavigationRequest());
    await page.getByRole("button", { name: button, exact: true }).click();
    const made = await request;
    return `${made.method()} ${new URL(made.url()).pathname} ${made.postData() ?? ""}`.trim();
  };
  const link = "/anfrage/Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6";
  assert.equal(await sent("visitor-asked", "Anfrage zurückziehen"), `GET ${link}/zurueckziehen`);
  assert.equal(await sent("visitor-withdraw", "Anfrage zurückziehen"), `POST ${link}/zurueckziehen`);
  // With the price that was read.
  const answers = /^POST \/betrieb\/Zm9vYmFy cost=Annehmen\+kostet\S+&answer=(\w+)$/;
  for (const [button, answer] of [
    ["Für 25,00 € netto annehmen", "accept"],
    ["Ablehnen", "decline"],
  ] as const)
    assert.equal(answers.exec(await sent("firm-open", button))?.[1], answer);
  assert.match(await sent("visitor-asked", "Speichern"), /^POST \S+ storey=&addition=Dritter\+Stock/);
  assert.equal(await sent("newsletter-confirm", "Anmeldung bestätigen"), "POST /newsletter/Zm9vYmFy");
  assert.equal(await sent("newsletter-unsubscribe", "Abmelden"), "POST /newsletter/Zm9vYmFy");
  await context.close();
});
