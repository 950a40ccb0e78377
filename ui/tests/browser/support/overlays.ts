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

/** Returns what makes a button more or less inviting than another one. */
export const inviting = (button: Locator) =>
  button.evaluate((element) => {
    const { fontSize, fontWeight, color, backgroundColor, borderColor, borderWidth, textDecorationLine } =
      getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    const look = { fontSize, fontWeight, color, backgroundColor, borderColor, borderWidth, textDecorationLine };
    return { ...look, width: Math.round(width), height };
  });
