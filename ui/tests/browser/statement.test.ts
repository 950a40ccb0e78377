import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { PHONE } from "./support/browser.ts";
import { wordsInFiles } from "./support/files.ts";
import { privateLink } from "./support/mail-rules.ts";
import { answerAs, heading, send } from "./support/questionnaire.ts";
import { firmAddress, firmName, referringFor, VISITOR } from "./support/referrals.ts";
import { killAndRestart, type Site } from "./support/site.ts";

/** Prints an HTML file to a PDF beside it, as a person's browser would, and returns the text of each page. */
async function printedPages(page: Page, html: string): Promise<string[]> {
  await page.goto(pathToFileURL(html).href);
  const pdf = html.replace(/html$/, "pdf");
  await writeFile(pdf, await page.pdf({ preferCSSPageSize: true }));
  const { stdout } = await promisify(execFile)("pdftotext", ["-layout", pdf, "-"]);
  // Each page ends with a form feed.
  return stdout.split("\f").slice(0, -1);
}

const FIRMS = ["nord", "sued", "west"] as const;
const COMMISSION = `
[commission]
per_acceptance = "25.00"
share = "8"
`;

const TYPED = "Gaube über der Küche";
const PERSON = [...Object.values(VISITOR), "7654321", TYPED];

const ACCEPT = { name: "Für 25,00 € netto annehmen" };

/** The current month in Hamburg, as `--month` takes it. */
const month = () => new Date().toLocaleDateString("sv-SE", { timeZone: "Europe/Berlin" }).slice(0, 7);

/** Returns the statement of this month in each machine-readable format. */
async function statement(site: Site, ...flags: string[]): Promise<string[]> {
  const draw = (format: string) => site.run("firms", "statement", "--month", month(), "--format", format, ...flags);
  return Promise.all(["csv", "json"].map(draw));
}

function assertHides(text: string, what: string): void {
  for (const word of PERSON) assert.ok(!text.includes(word), `${what} does not hold ${word}`);
}

test("a statement stays the same when the inquiry is withdrawn and erased, and names nobody", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "taubenabwehr-statement-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const { site, mails, visit } = await referringFor(t, FIRMS, COMMISSION);
  const { page } = await visit(PHONE);
  const firm = (await visit(PHONE)).page;

  /** Copies everything stored, whatever the engine, and returns the directory of the copy. */
  const copy = async (name: string) => {
    const directory = join(folder, name);
    await site.run("copy", "--from", site.store, "--to", `redb:${directory}`);
    return directory;
  };

  // The visitor sends an inquiry, and three firms get mails with their links.
  await answerAs(page, VISITOR, TYPED);
  await killAndRestart(site);
  await send(page).click();
  await page.waitForURL("/danke");
  await page.getByRole("button", { name: "Hier bleiben" }).click();
  const reference = (await page.locator(".thanks-number").textContent()) ?? "";
  const pages: string[] = [];
  for (const id of FIRMS) {
    const request = await mails.to(firmAddress(id), "Anfrage zur Taubenabwehr in 20095 Hamburg-Altstadt: Wohngebäude");
    pages.push(privateLink(request, "/betrieb/"));
  }
  await killAndRestart(site);
  const [nord = "", sued = ""] = pages;

  // Two accept, and one of them gets the order.
  for (const address of [nord, sued]) {
    await firm.goto(address);
    await firm.getByText("Annehmen kostet 25,00").waitFor();
    await killAndRestart(site);
    await firm.getByRole("button", ACCEPT).click();
    await heading(firm, "Sie haben die Anfrage angenommen").waitFor();
    await firm.getByRole("main").getByText(VISITOR.Nachname).first().waitFor();
    await killAndRestart(site);
  }
  await firm.goto(nord);
  assert.ok(!(await firm.getByLabel("Auftragssumme netto in Euro").isVisible()), "no sum before there is an order");
  await firm.getByLabel("Auftrag erhalten").check();
  await firm.getByLabel("Auftragssumme netto in Euro").fill("1.234,50");
  await killAndRestart(site);
  await firm.getByRole("button", { name: "Speichern" }).click();
  await firm.getByRole("status").getByText("Danke, Ihre Angabe ist gespeichert.").waitFor();
  await killAndRestart(site);

  const before = await statement(site);
  const [csv = "", json = ""] = before;
  const time = "[0-9T:.-]+Z";
  assert.match(
    csv,
    new RegExp(
      "^firm,reference,received,accepted,outcome,net_sum,commission,late,credit\r\n" +
        `nord,${reference},${time},${time},order,1234\\.50,123\\.76,,\r\n` +
        `sued,${reference},${time},${time},open,,25\\.00,,\r\n$`,
    ),
  );
  const totals = JSON.parse(json) as Record<string, unknown>[];
  assert.deepEqual(
    totals.map(({ name, net, vat, gross }) => [name, net, vat, gross]),
    [
      [firmName("nord"), "123.76", "23.51", "147.27"],
      [firmName("sued"), "25.00", "4.75", "29.75"],
    ],
  );

  // The visitor withdraws the inquiry.
  await page.getByRole("main").getByRole("link", { name: "Ihre Anfrage ansehen" }).click();
  await heading(page, "2 Betriebe haben Ihre Anfrage angenommen").waitFor();
  await page.getByRole("button", { name: "Anfrage zurückziehen" }).click();
  await heading(page, "Möchten Sie Ihre Anfrage zurückziehen?").waitFor();
  await killAndRestart(site);
  assert.deepEqual(await wordsInFiles(await copy("full"), PERSON), PERSON, "until then, all of it is kept");
  await page.getByRole("button", { name: "Anfrage zurückziehen" }).click();
  await heading(page, "Ihre Anfrage ist zurückgezogen").waitFor();
  await killAndRestart(site);
  assert.deepEqual(await statement(site), before, "after the withdrawal");
  await firm.goto(nord);
  await heading(firm, "Die Anfrage wurde zurückgezogen").waitFor();

  // The operator erases the rest.
  await site.run("erase", "--yes", reference);
  await killAndRestart(site);
  assert.deepEqual(await statement(site), before, "after the erasure");

  // No trace of the person remains anywhere.
  const html = join(folder, "statement.html");
  await site.run("firms", "statement", "--month", month(), "--format", "html", "--output", html);
  for (const text of [...before, await readFile(html, "utf8")]) assertHides(text, "a statement");
  const ledger = await copy("ledger");
  assert.deepEqual(await wordsInFiles(ledger, PERSON), []);
  assert.deepEqual(await statement(site, "--store", `redb:${ledger}`), before, "of the copy");
  for (const address of pages) {
    await firm.goto(address);
    assertHides(await firm.content(), "a firm's page");
  }
  await firm.goto(nord);
  await heading(firm, "Die Daten der Anfrage sind gelöscht").waitFor();
  assert.ok(await firm.getByLabel("Auftrag erhalten").isChecked());
  assert.equal(await firm.getByLabel("Auftragssumme netto in Euro").inputValue(), "1.234,50");
  await site.crash();
  // PostgreSQL keeps traces of deleted rows until told otherwise.
  if (site.store.startsWith("redb:")) assert.deepEqual(await wordsInFiles(site.data, PERSON), []);
  assert.deepEqual(await statement(site), before, "without a server");

  // On paper each firm has its own page, and the operator one with the total.
  const sheets = await printedPages(firm, html);
  assert.equal(sheets.length, 3);
  const shown = [
    [
      firmName("nord"),
      `${reference} .* Auftrag erhalten +1\\.234,50 +123,76\n`,
      "Umsatzsteuer 19 % +23,51",
      "Gesamt +147,27",
    ],
    [firmName("sued"), `${reference} .* noch offen +– +25,00\n`, "Umsatzsteuer 19 % +4,75", "Gesamt +29,75"],
    ["Alle Betriebe", "Aufstellung, keine Rechnung", "Alle Betriebe +148,76 +28,26 +177,02"],
  ];
  for (const [index, sheet] of sheets.entries()) {
    for (const text of shown[index] ?? []) assert.match(sheet.replaceAll("\u00a0", " "), new RegExp(text));
    assertHides(sheet, "a printed statement");
  }
  assertHides(site.log(), "the log");
});
