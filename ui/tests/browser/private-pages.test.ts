import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { CALM, PHONE_SIZE, violations } from "./support/axe.ts";
import { PHONE } from "./support/browser.ts";
import { type Check, Findings } from "./support/checks.ts";
import { fillTemplates, type FilledTemplates, showMail, showPrivatePage } from "./support/filled-templates.ts";
import { MAIL_RULES, mistakes } from "./support/html-rules.ts";
import { tornTexts } from "./support/measure.ts";
import { missingRules } from "./support/rules.ts";
import { useStage } from "./support/stage.ts";

/** What people and firms may enter, at the greatest length allowed. */
const LONG = [
  ["Dritter Stock", "x".repeat(200)],
  [">auftrag@nordnetz.example<", `>${"sehr-langer-name".repeat(5)}@schaedlingsbekaempfung-hamburg-altona.example<`],
  [">www.nordnetz.example<", `>www.${"taubenabwehr".repeat(8)}.example<`],
  ["Nordnetz", "Donaudampfschifffahrtsgesellschaftskapitänstaubenabwehr"],
  ["Weiß-Krüger", "Leutheusser-Schnarrenberger-von-Hohenzollern-Sigmaringen"],
  [/(?<=>)[^<>@ ]+@[^<>@ ]+(?=<)/g, `${"langer-name".repeat(6)}@beispiel.example`],
] as const;

/** A lower bound for the number of pages, and of mails. */
const FEWEST = 30;

const axe: Check["look"] = (page) => violations(page, { sizes: [PHONE_SIZE] });
async function torn(page: Page): Promise<string[]> {
  const narrow = await tornTexts(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  return [...narrow, ...(await tornTexts(page))];
}

/** Fills the open page with long words, and returns its width if that is too wide. */
async function wide(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 320, height: 640 });
  const html = await page.evaluate(() => document.body.innerHTML);
  const long = LONG.reduce((text, [word, long]) => text.replaceAll(word, long), html);
  const width = await page.evaluate((html) => {
    document.body.innerHTML = html;
    return document.documentElement.scrollWidth;
  }, long);
  await page.setViewportSize(PHONE_SIZE);
  return width > 320 ? [`${width} px`] : [];
}

const WIDE: Check = {
  name: "no private page or mail is wider than a small phone, even with long words",
  look: wide,
};
const PAGE_CHECKS: readonly Check[] = [
  { name: "every private page loads the style rules for everything on it", look: missingRules },
  { name: "axe finds nothing on any private page, in any state", look: axe },
  { name: "no private page tears a sentence into columns", look: torn },
  {
    name: "nothing shows through the header of a private page",
    look: async (page) => {
      const paper = await page
        .locator("header")
        .first()
        .evaluate((header) => getComputedStyle(header).backgroundColor);
      return paper.startsWith("rgb(") ? [] : [paper];
    },
  },
  WIDE,
];
const AXE_OF_MAILS: Check = { name: "axe finds nothing in any mail", look: axe };
const WHOLE_ADDRESSES: Check = {
  name: "on a phone no mail breaks an address that fits on one line",
  look: (page) =>
    page
      .locator("a[href^='mailto:']")
      .evaluateAll((links) => links.filter((link) => link.getClientRects().length > 1).map((link) => link.outerHTML)),
};

let filled: FilledTemplates;
const findings = new Findings();

// All checks share one walk.
const stage = useStage(undefined, async ({ visit }) => {
  filled = await fillTemplates();
  const { context, page } = await visit(CALM);
  for (const [name, html] of Object.entries(filled.pages)) {
    await showPrivatePage(page, name, html);
    await findings.ask(page, name, PAGE_CHECKS);
  }
  for (const [name, { html }] of Object.entries(filled.mails)) {
    await showMail(page, name, html);
    await findings.ask(page, `mail ${name}`, [AXE_OF_MAILS, WHOLE_ADDRESSES, WIDE]);
  }
  await context.close();
});

for (const { name } of [...PAGE_CHECKS, AXE_OF_MAILS, WHOLE_ADDRESSES]) {
  test(name, () => assert.deepEqual(findings.of(name, FEWEST), []));
}

test("the HTML of private pages and mails is valid", async () => {
  const mails = Object.entries(filled.mails).map(([name, { html }]) => [`mail ${name}`, html] as const);
  const found = [...(await mistakes(Object.entries(filled.pages))), ...(await mistakes(mails, MAIL_RULES))];
  assert.deepEqual(found, []);
});

test("a firm's answer is in reach of a thumb, whatever else the page shows", async () => {
  const { page } = await stage.visit(PHONE);
  await showPrivatePage(page, "firm-open", filled.pages["firm-open"] ?? "");
  for (const name of ["Für 25,00 € netto annehmen", "Ablehnen"]) {
    const button = page.getByRole("button", { name, exact: true });
    const box = await button.boundingBox();
    assert.ok(box && box.y > 400 && box.y + box.height <= 844, `${name} is at ${JSON.stringify(box)}`);
    assert.ok(box.height >= 48 && box.width > 300, `${name} is ${box.width} by ${box.height}`);
  }
  const cost = await page.getByText("wird daraus ein Auftrag").boundingBox();
  assert.ok(cost && cost.y > 400 && cost.y + cost.height <= 844, `the price is at ${JSON.stringify(cost)}`);
  // On a wide screen they are in a box beside the text, from the first moment on and wherever the page is scrolled to.
  await page.setViewportSize({ width: 1440, height: 900 });
  const answer = page.locator(".private-page-answer");
  const text = await page.locator(".private-page-details").boundingBox();
  for (const scrolled of [0, 500]) {
    await page.evaluate((top) => window.scrollTo({ top, behavior: "instant" }), scrolled);
    const box = await answer.boundingBox();
    assert.ok(box && box.y > 0 && box.y + box.height <= 900, `${scrolled}: ${JSON.stringify(box)}`);
    assert.ok(text && box.x > text.x + text.width, `the box is at ${box.x}`);
  }
  for (const said of ["Antwort bis zum", "wird daraus ein Auftrag"]) await answer.getByText(said).waitFor();
  await showPrivatePage(page, "firm-open-bare", filled.pages["firm-open-bare"] ?? "");
  await page.getByRole("button", { name: "Annehmen und Kontaktdaten ansehen", exact: true }).waitFor();
});
