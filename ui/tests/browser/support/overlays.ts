import type { Locator, Page } from "playwright-core";

/** The cookie banner. */
export const banner = (page: Page): Locator =>
  page.getByRole("dialog").filter({ has: page.getByRole("button", { name: "Ablehnen" }) });

export const chat = (page: Page): Locator =>
  page.getByRole("link", { name: "Chatten Sie jetzt mit uns" }).filter({ visible: true }).first();

/** Waits until the page has made room for the banner, which it does a frame after the banner is there. */
export async function bannerHasRoom(page: Page): Promise<void> {
  await page.waitForFunction(() => document.documentElement.style.getPropertyValue("--banner") !== "");
}
