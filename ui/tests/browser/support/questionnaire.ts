import type { Locator, Page } from "playwright-core";

/* Locators of the questionnaire's elements by the names that visitors see or hear. */
export const onward = (page: Page): Locator => page.getByRole("button", { name: "Weiter" });
export const back = (page: Page): Locator => page.getByRole("button", { name: "Zurück", exact: true });
export const send = (page: Page): Locator => page.getByRole("button", { name: "Absenden" });
/** Returns the progress bar of the form that scripts render. The served form has one for each step. */
export const progress = (page: Page, step: number): Locator =>
  page.locator("[data-mode=live]").getByRole("progressbar", { name: `Schritt ${step} von 5` });
export const alert = (page: Page, text: string): Locator => page.getByRole("alert").filter({ hasText: text });
export const heading = (page: Page, name: string | RegExp): Locator => page.getByRole("heading", { level: 1, name });

export const CONTACT = {
  Vorname: "Änne",
  Nachname: "Groß",
  "E-Mail-Adresse": "aenne@example.de",
  Telefonnummer: "+49 40 1234567",
};

export async function fillContact(page: Page, changes: Partial<typeof CONTACT> = {}): Promise<void> {
  for (const [label, value] of Object.entries({ ...CONTACT, ...changes })) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
}

/** Answers every step, including the contact details, without sending them. */
export async function answerAll(page: Page): Promise<void> {
  await page.goto("/fragebogen?propertyType=residential-house&step=1");
  await progress(page, 2).waitFor();
  await page.getByLabel("Postleitzahl").fill("20095");
  await onward(page).click();
  await page.getByLabel("Nisten").check();
  await onward(page).click();
  await page.getByLabel("Balkon").check();
  await onward(page).click();
  await progress(page, 5).waitFor();
  await fillContact(page);
}

/** Sends the answers, and waits for the thank-you page. */
export async function sendOff(page: Page): Promise<void> {
  await send(page).click();
  await page.waitForURL(/\/danke$/);
}

/** Goes back from the last step to enter another part of the building. */
export async function describePlace(page: Page, place: string): Promise<void> {
  await back(page).click();
  await progress(page, 4).waitFor();
  await page.getByLabel("Sonstiges").check();
  await page.getByLabel("Bitte beschreiben").fill(place);
  await onward(page).click();
  await progress(page, 5).waitFor();
}

/** Answers every step as a visitor who enters another part of the building, without sending it. */
export async function answerAs(page: Page, contact: typeof CONTACT, place: string): Promise<void> {
  await answerAll(page);
  await describePlace(page, place);
  await fillContact(page, contact);
  // Anyone faster is taken for a robot.
  await page.waitForFunction(() => performance.now() > 1_000);
}
