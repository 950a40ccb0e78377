import type { Page } from "playwright-core";
import { errorAnswer, INQUIRIES } from "./inquiries.ts";
import { alert, answerAll, fillContact, heading, onward, progress, send } from "./questionnaire.ts";
import { load, reload, started } from "./settled.ts";
import { banner, chat } from "./overlays.ts";

/** A state of a screen that an address alone cannot reach. */
export interface State {
  readonly name: string;
  /** Brings a page into the state, whatever it showed before. */
  readonly reach: (page: Page) => Promise<void>;
  /** Whether it exists only below 768 px. */
  readonly isNarrow?: boolean;
  /** Whether no script has run on it. */
  readonly isPlain?: boolean;
}

const state = (name: string, reach: State["reach"], where: Omit<State, "name" | "reach"> = {}): State => ({
  name,
  reach,
  ...where,
});

/** Opens the questionnaire without the answers of another state. */
async function openStep(page: Page, step: number, query = ""): Promise<void> {
  await page.goto("/faq");
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(`/fragebogen?step=${step}${query}`);
  await progress(page, step + 1).waitFor();
  await started(page);
}

/** Opens the questionnaire as if its script could not be loaded. */
async function openPlainForm(page: Page): Promise<void> {
  await page.route(SCRIPTS, (route) => route.abort());
  await page.goto("/fragebogen?propertyType=residential-house");
  await page.locator("[data-mode=whole]").waitFor();
}

const SCRIPTS = "**/assets/*.js";

/** The questionnaire without its script: the whole form, and the server's response to an invalid one. */
const PLAIN_FORM: readonly State[] = [
  state(
    "plain-form",
    async (page) => {
      await openPlainForm(page);
      await page.unroute(SCRIPTS);
    },
    { isPlain: true },
  ),
  state(
    "plain-form-error",
    async (page) => {
      await openPlainForm(page);
      await page.locator('[name="problems"][value="other"]').check();
      await page.getByLabel("Postleitzahl").fill("10115");
      await page.getByLabel("Vorname").fill("Änne");
      await page.getByLabel("E-Mail-Adresse").fill("aenne");
      await send(page).click();
      await page.getByText("Bitte prüfen Sie Ihre Angaben").waitFor();
      await page.unroute(SCRIPTS);
    },
    { isPlain: true },
  ),
];

/** The steps of the questionnaire: empty, filled in, and with each error. */
export const QUESTIONNAIRE: readonly State[] = [
  ...PLAIN_FORM,
  ...[0, 1, 2, 3, 4].map((step) => state(`step-${step}`, (page) => openStep(page, step))),
  state("step-0-error", async (page) => {
    await openStep(page, 0);
    await onward(page).click();
    await alert(page, "Gebäudetyp").waitFor();
  }),
  state("step-1-error", async (page) => {
    await openStep(page, 1, "&propertyType=residential-house");
    await page.getByLabel("Postleitzahl").fill("99999");
    await onward(page).click();
    await alert(page, "Postleitzahl").waitFor();
  }),
  ...[2, 3].map((step) =>
    state(`step-${step}-other`, async (page) => {
      await openStep(page, step);
      await page.getByLabel("Sonstiges").check();
      await page.getByLabel("Bitte beschreiben").fill("Unter der Solaranlage");
    }),
  ),
  state("step-4-filled", async (page) => {
    await openStep(page, 0);
    await answerAll(page);
  }),
  state("step-4-empty-error", async (page) => {
    await openStep(page, 0);
    await answerAll(page);
    await fillContact(page, { Vorname: "", Nachname: "", "E-Mail-Adresse": "", Telefonnummer: "" });
    await send(page).click();
    await alert(page, "Pflichtfelder").waitFor();
  }),
  ...Object.entries({ "E-Mail-Adresse": "aenne", Telefonnummer: "12" }).map(([field, wrong]) =>
    state(`step-4-${field}-error`, async (page) => {
      await openStep(page, 0);
      await answerAll(page);
      await fillContact(page, { [field]: wrong });
      await send(page).click();
      await alert(page, field).waitFor();
    }),
  ),
  state("step-5", async (page) => {
    await page.route(INQUIRIES, (route) => route.fulfill(errorAnswer(503, "Der Speicher ist voll.")));
    await openStep(page, 0);
    await answerAll(page);
    await send(page).click();
    await heading(page, /Vielen Dank/).waitFor();
    await page.unroute(INQUIRIES);
    // An inquiry left in the queue would show a toast on every later page.
    await page.evaluate(() => localStorage.clear());
  }),
];

/** Opens the thank-you page of an inquiry with this item in the queue; null for an unknown inquiry. */
async function openThanks(page: Page, item: object | null): Promise<void> {
  await load(page, "/danke");
  await page.evaluate(
    (text) => {
      if (text !== null) localStorage.setItem("inquiry-outbox:x", text);
      sessionStorage.setItem("inquiry-page:x", "/anfrage/Zm9vYmFyYmF6cXV4-_0123");
      history.replaceState({ thanks: { status: "pending", key: "x" } }, "");
    },
    item && JSON.stringify({ key: "x", ...item }),
  );
  await reload(page);
  await page.evaluate(() => localStorage.removeItem("inquiry-outbox:x"));
}

const past = (result: object) => ({ result, settledAt: Date.now() });
const soon = Date.now() + 3_600_000;

/** The thank-you page after an inquiry that could not be sent immediately. */
const THANKS: readonly State[] = Object.entries({
  queued: { body: "[]", createdAt: "", attempts: 1, notBefore: soon, retryAt: soon },
  stored: past({ kind: "stored", reference: "1f2e3d4c5b6a", privatePage: null }),
  refused: past({ kind: "refused", message: "Ungültige Telefonnummer" }),
  expired: past({ kind: "expired" }),
  unknown: null,
}).map(([name, item]) => state(`thanks-${name}`, (page) => openThanks(page, item)));

/** States of the other screens, for a visitor who has already decided about cookies. */
export const OTHERS: readonly State[] = [
  ...THANKS,
  state(
    "menu-open",
    async (page) => {
      await load(page, "/");
      await page.getByRole("button", { name: "Menü öffnen" }).click();
      await page.getByRole("button", { name: "Menü schließen" }).waitFor();
    },
    { isNarrow: true },
  ),
  state("faq-open", async (page) => {
    await page.goto("/faq");
    await page.locator("main summary").nth(1).click();
  }),
  state("toast", async (page) => {
    await load(page, "/cookie-einstellungen");
    await page.getByRole("button", { name: "Einstellungen speichern" }).click();
    await page.getByRole("status").filter({ hasText: "Einstellungen gespeichert" }).waitFor();
  }),
  state("chat", async (page) => {
    await page.goto("/");
    await chat(page).waitFor();
  }),
  state("second-testimonial", async (page) => {
    await load(page, "/");
    await page.getByRole("button", { name: "Nächste Referenz" }).click();
  }),
  state("newsletter-sent", async (page) => {
    await load(page, "/blog");
    await page.getByLabel("E-Mail-Adresse").fill("aenne@example.de");
    await page.getByRole("button", { name: "Anmelden" }).click();
    await page.getByRole("status").filter({ hasText: /./ }).waitFor();
  }),
];

/** States for a visitor who has not decided about cookies. */
export const UNDECIDED: readonly State[] = [
  state("banner", async (page) => {
    await page.goto("/");
    await banner(page).waitFor();
  }),
];
