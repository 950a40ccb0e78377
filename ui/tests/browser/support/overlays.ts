import type { Locator, Page } from "playwright-core";

export const banner = (page: Page): Locator =>
  page.getByRole("dialog").filter({ has: page.getByRole("button", { name: "Ablehnen" }) });

export const chat = (page: Page): Locator =>
  page.getByRole("link", { name: "Chatten Sie jetzt mit uns" }).filter({ visible: true }).first();

/** Waits until the page has made room for the banner, which happens one frame after the banner appears. */
export async function bannerHasRoom(page: Page): Promise<void> {
  await page.waitForFunction(() => document.documentElement.style.getPropertyValue("--banner") !== "");
}

/** Returns the styles that make one button more or less inviting than another. */
export const inviting = (button: Locator) =>
  button.evaluate((element) => {
    const { fontSize, fontWeight, color, backgroundColor, borderColor, borderWidth, textDecorationLine } =
      getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    const look = { fontSize, fontWeight, color, backgroundColor, borderColor, borderWidth, textDecorationLine };
    return { ...look, width: Math.round(width), height };
  });
