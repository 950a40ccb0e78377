import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { DESKTOP } from "./browser.ts";

/** Opens a page as a visitor who has not decided about cookies: the banner will come. */
export async function visitUndecided(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = DESKTOP,
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ baseURL: origin, locale: "de-DE", timezoneId: "Europe/Berlin", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  return { context, page };
}

/** The cookie banner (contract, "Other names on the page"). */
export const banner = (page: Page): Locator =>
  page.getByRole("dialog").filter({ has: page.getByRole("button", { name: "Ablehnen" }) });

export const chat = (page: Page): Locator =>
  page.getByRole("link", { name: "Chatten Sie jetzt mit uns" }).filter({ visible: true }).first();
