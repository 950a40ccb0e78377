import type { BrowserContext, Page } from "playwright-core";
import { deferred } from "./deferred.ts";
import { errorAnswer, INQUIRIES } from "./inquiries.ts";
import { alert, answerAll, send } from "./questionnaire.ts";

export const delivered = (page: Page) => page.getByRole("status").filter({ hasText: "Ihre Anfrage wurde übermittelt" });
export const unavailable = errorAnswer(503, "Der Speicher ist voll.");

/** Records the keys and bodies of all inquiries that any tab sends. */
export function watchInquiries(context: BrowserContext): { key: string | undefined; body: string | null }[] {
  const sent: { key: string | undefined; body: string | null }[] = [];
  context.on("request", (request) => {
    if (request.url().endsWith("/rest/v1/inquiries"))
      sent.push({ key: request.headers()["idempotency-key"], body: request.postData() });
  });
  return sent;
}

/** Sends an inquiry whose response never arrives, whether or not the server receives it. Later requests work. */
export async function sendWithoutResponse(page: Page, isReceived: boolean): Promise<void> {
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

/** Sends an inquiry to a server that cannot store it, and waits for the error message. */
export async function failToSend(page: Page): Promise<void> {
  await answerAll(page);
  await page.route(INQUIRIES, (route) => route.fulfill(unavailable));
  await send(page).click();
  await alert(page, "Der Speicher ist voll.").waitFor();
}

/** Like `failToSend`, then opens the thank-you page as if the countdown had ended. */
export async function failToSendAndGoOn(page: Page): Promise<void> {
  await page.clock.install();
  await failToSend(page);
  await goOnToThanks(page);
}

/** Skips the countdown from the failure message to the thank-you page, on a page with a mocked clock. */
export async function goOnToThanks(page: Page): Promise<void> {
  await page.getByText("Sekunden weitergeleitet").waitFor();
  await page.clock.fastForward(6_000);
  await page.waitForURL("/danke");
}
