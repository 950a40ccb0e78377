import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { CALM, violations } from "./support/axe.ts";
import { DESKTOP, type Visit } from "./support/browser.ts";
import { freePort } from "./support/free-port.ts";
import { postInquiry } from "./support/inquiries.ts";
import { heading } from "./support/questionnaire.ts";
import { startSite } from "./support/site.ts";
import { useStage } from "./support/stage.ts";
import { walk } from "./support/tab-walk.ts";

// Nothing listens there, so mails stay queued.
const CONFIGURATION = `
[mail]
server = "smtp://127.0.0.1:1"
from = "anfrage@example.de"
[[firm]]
id = "nordnetz"
name = "Nordnetz Taubenabwehr GmbH"
email = "auftrag@nordnetz.example"
postal_codes = ["20"]
[[firm]]
id = "elbschutz"
name = "Elbschutz & Söhne"
email = "auftrag@elbschutz.example"
postal_codes = ["22"]
`;

const MEIER = { types_of_problems: "nesting,noise", first_name: "Erika", email_address: "erika@meier.example" };
const MUELLER = {
  postal_code: "22765",
  first_name: "Hans",
  last_name: "Müller",
  email_address: "hans@mueller.example",
  phone_number: "+49 176 99887766",
};

const folder = await mkdtemp(join(tmpdir(), "taubenabwehr-desk-"));
after(() => rm(folder, { recursive: true, force: true }));

let desk = "";

const stage = useStage(
  async () => {
    const config = join(folder, "config.toml");
    await writeFile(config, CONFIGURATION);
    const port = await freePort();
    desk = `http://127.0.0.1:${port}`;
    return startSite("--config", config, "--desk-listen", `127.0.0.1:${port}`);
  },
  async ({ site }) => {
    for (const record of [MEIER, MUELLER, { ...MEIER, first_name: "Max", last_name: "Schulze" }])
      await postInquiry(site.url, record);
  },
);

/** Opens the address that the command prints, and presses the login button. */
async function logIn(options = DESKTOP): Promise<Visit> {
  const opened = await stage.visit({ ...options, baseURL: desk });
  const link = (await stage.site.run("desk")).trim();
  assert.ok(link.startsWith(`${desk}/anmelden/`), link);
  await opened.page.goto(link);
  await opened.page.getByRole("button", { name: "Anmelden" }).click();
  await heading(opened.page, "Posteingang").waitFor();
  return opened;
}

test("five tasks of a working day", async () => {
  const { page, complaints } = await logIn();

  // Frau Meier calls, and the phone shows her number.
  await page.getByLabel("Anfrage suchen").fill("040 7654321");
  await page.getByRole("button", { name: "Suchen" }).click();
  await page.getByRole("link", { name: "Erika Meier" }).click();
  await heading(page, "Erika Meier").waitFor();
  for (const said of ["20095", "Wohngebäude", "Nisten, Lärm", "Nordnetz Taubenabwehr GmbH", "noch keine Antwort"]) {
    const text = page.getByRole("main").getByText(said).first();
    await text.waitFor();
    const box = await text.boundingBox();
    assert.ok(box && box.y + box.height <= 900, `${said} is to be seen without scrolling`);
  }

  // She wants one more firm.
  await page.getByLabel("Betrieb", { exact: true }).selectOption({ label: "Elbschutz & Söhne (passt nicht)" });
  await page.getByRole("button", { name: "Jetzt fragen" }).click();
  await page.getByRole("status").getByText("Der Betrieb ist gefragt.").waitFor();
  await page.getByRole("listitem").filter({ hasText: "Elbschutz & Söhne" }).waitFor();
  // A reload shows the page without repeating anything.
  await page.reload();
  assert.equal(await page.locator(".desk-firm").count(), 2);
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.locator(".desk-firm").first().isVisible(), "a printed inquiry names its firms");
  await page.emulateMedia({ media: "screen" });

  // Her number was wrong, and there is nothing left to do.
  await page.getByLabel("Notiz").fill("Ruft Mittwoch zurück.");
  await page.getByRole("button", { name: "Notiz speichern" }).click();
  await page.getByLabel("Telefonnummer").fill("040/32109876");
  await page.getByRole("button", { name: "Berichtigen" }).click();
  await page.getByRole("status").getByText("Die Angaben sind berichtigt.").waitFor();
  await page.getByRole("link", { name: "040/32109876" }).waitFor();
  await page.getByText("Ruft Mittwoch zurück.").waitFor();
  await page.getByRole("button", { name: "Erledigt" }).click();
  await page.getByRole("button", { name: "Wieder öffnen" }).waitFor();

  // A firm is on holiday until Epiphany.
  await page.getByRole("link", { name: "Betriebe", exact: true }).click();
  const firm = page.getByRole("listitem").filter({ hasText: "Nordnetz" });
  await firm.getByLabel("Pause bis einschließlich").fill("2099-01-06");
  await firm.getByRole("button", { name: "Pausieren …" }).click();
  await page.getByText("offene Anfrage").waitFor();
  await page.getByRole("button", { name: "Pausieren", exact: true }).click();
  await firm.getByText("pausiert bis einschließlich 6. Januar 2099").waitFor();
  await page.getByRole("status").getByText("Nordnetz Taubenabwehr GmbH ist pausiert").waitFor();
  const firms = JSON.parse(await stage.site.run("firms", "--json")) as { firm: string; paused: boolean }[];
  assert.equal(firms.find(({ firm }) => firm === "nordnetz")?.paused, true);

  // This firm got no requests last month.
  await page.getByRole("link", { name: "Letzter Monat" }).click();
  await firm.getByText(/^gefragt\s*0$/).waitFor();
  assert.equal(await page.getByLabel("Zeitraum").locator("[aria-current]").innerText(), "Letzter Monat");

  // The statement of last month is due.
  await page.getByRole("link", { name: "Abrechnung", exact: true }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV herunterladen" }).click();
  const file = join(folder, "statement.csv");
  await (await download).saveAs(file);
  assert.match(
    await readFile(file, "utf8"),
    /^firm,reference,received,accepted,outcome,net_sum,commission,late,credit\r\n/,
  );
  await page.getByRole("link", { name: "Monat abschließen …" }).click();
  await page.getByRole("button", { name: "Monat abschließen" }).click();
  assert.match(page.url(), /\/abschliessen(\?|$)/, "not without the tick");
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Monat abschließen" }).click();
  await page.getByText("abgeschlossen am").waitFor();

  // Herr Müller wants his data to be erased.
  await page.getByRole("link", { name: "Posteingang", exact: true }).click();
  await page.getByRole("link", { name: "Hans Müller" }).click();
  await page.getByRole("link", { name: "Anfrage löschen …" }).click();
  await heading(page, "Diese Anfrage endgültig löschen?").waitFor();
  await page.getByText("keiner wird benachrichtigt").waitFor();
  await page.getByRole("button", { name: "Endgültig löschen" }).click();
  assert.equal((await stage.site.stored()).length, 3, "not without the tick");
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Endgültig löschen" }).click();
  await page.getByRole("status").getByText("Die Anfrage ist gelöscht.").waitFor();
  assert.equal(await page.getByText("Müller").count(), 0);
  assert.deepEqual(complaints, []);

  // After logging out nothing can be read, not even with the back button.
  await page.getByRole("button", { name: "Abmelden" }).click();
  await heading(page, "Sie sind nicht angemeldet").waitFor();
  await page.goBack();
  await heading(page, "Sie sind nicht angemeldet").waitFor();
});

test("a link on another site opens the page for operators who are logged in", async () => {
  const { page } = await logIn();
  await page.goto(`data:text/html,<a href="${desk}/posteingang?state=suspected">Mail</a>`);
  await page.getByRole("link").click();
  await heading(page, "Posteingang").waitFor();
  assert.ok(page.url().endsWith("?state=suspected"));
});

test("a caller's inquiry can be entered with the keyboard alone", async () => {
  const { page } = await logIn();
  await page.goto("/neue-anfrage");
  await page.getByRole("radio", { name: "Wohnung" }).press("Space");
  const typed = { Postleitzahl: "22765", Vorname: "Vera", Nachname: "Voss", "E-Mail-Adresse": "vera@voss.example" };
  for (const [label, text] of Object.entries(typed)) await page.getByLabel(label).fill(text);
  await page.getByRole("checkbox", { name: "einverstanden" }).press("Space");
  await page.getByLabel("Telefonnummer").pressSequentially("040 1234567");
  await page.keyboard.press("Enter");
  await heading(page, "Vera Voss").waitFor();
  await page.getByText("Am Telefon vorgelesen").waitFor();
});

test("every page is accessible, at every screen size", async () => {
  const { page } = await logIn(CALM);
  const inquiry = await page.getByRole("link", { name: "Erika Meier" }).getAttribute("href");
  const accepted = await page.getByRole("link", { name: "Max Schulze" }).getAttribute("href");
  await page.goto(`${accepted}`);
  await page.getByRole("link", { name: "Seite des Betriebs" }).click();
  await page.getByRole("button", { name: "Annehmen" }).click();
  const month = new Date().toLocaleDateString("sv-SE", { timeZone: "Europe/Berlin" }).slice(0, 7);
  const sheet = `/abrechnung/${month}.html?ansehen=1`;
  const faults: string[] = [];
  const check = async (path: string) => {
    await page.goto(new URL(path, desk).href);
    const found = [...(await violations(page, { isWhole: true })), ...(await walk(page))];
    faults.push(...found.map((line) => `${path}: ${line}`));
    for (const width of [320, 390, 768, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (over > 0) faults.push(`${path}: ${over} px too wide at ${width}`);
    }
    await page.emulateMedia({ media: "print" });
    if (await page.getByRole("button").filter({ visible: true }).count()) faults.push(`${path}: a button on paper`);
    await page.emulateMedia({ media: "screen" });
  };
  for (const path of [
    "/posteingang",
    "/posteingang?search=niemand",
    `${inquiry}`,
    `${accepted}`,
    `${inquiry}/loeschen`,
    "/neue-anfrage",
    `${inquiry}/person`,
    "/betriebe/nordnetz/pause?from=2099-12-20",
    "/betriebe",
    `/abrechnung?month=${month}`,
    "/abrechnung/2026-01/abschliessen",
    "/bewertungen",
    "/bericht",
    "/zustand",
    "/nirgends",
    sheet,
    "/bericht/ansehen",
  ])
    await check(path);
  await page.goto(sheet);
  const loaded = await page.evaluate(async () =>
    [...(await document.fonts.ready)].flatMap(({ status, family }) => (status === "loaded" ? family : [])),
  );
  assert.deepEqual([...new Set(loaded)], ["Source Sans 3 Variable", "Besley"]);
  await page.goto("/bericht/ansehen");
  await page.setViewportSize({ width: 390, height: 844 });
  const widths = await page.locator(".bars .bar svg").evaluateAll((bars) => bars.map((bar) => bar.clientWidth));
  assert.ok(widths.length > 5 && widths.every((width) => width >= 64), `bars are ${widths} px wide`);
  await page.context().clearCookies();
  for (const path of ["/posteingang", "/anmelden/falsch"]) await check(path);
  assert.deepEqual(faults, []);
});
