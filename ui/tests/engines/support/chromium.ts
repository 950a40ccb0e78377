import { existsSync } from "node:fs";
import { type CDPSession, chromium as playwright, type Page } from "playwright-core";
import { CHROMIUM, FLAGS } from "../../browser/support/browser.ts";
import type { Driver, Engine, Key } from "./driver.ts";

/** Chromium by the DevTools protocol. */
export const chromium: Engine = {
  name: "Chromium",
  lacking: () => (existsSync(CHROMIUM) ? null : CHROMIUM),
  launch: async () => {
    const browser = await playwright.launch({
      executablePath: CHROMIUM,
      args: FLAGS,
      // Playwright switches the cache off, because its own functions cannot follow a page into it.
      ignoreDefaultArgs: ["--disable-back-forward-cache"],
    });
    return {
      open: async ({ size, scripts }) => {
        const context = await browser.newContext({
          viewport: size,
          javaScriptEnabled: scripts === "on",
          locale: "de-DE",
          timezoneId: "Europe/Berlin",
        });
        const page = await context.newPage();
        return drive(page, await context.newCDPSession(page));
      },
      close: () => browser.close(),
    };
  },
};

/** Drives a page by the protocol itself, which knows pages that come back from the back/forward cache. */
function drive(page: Page, devtools: CDPSession): Driver {
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => requests.push(request.url()));

  const traverse = async (by: number) => {
    const { currentIndex, entries } = await devtools.send("Page.getNavigationHistory");
    const entry = entries[currentIndex + by];
    if (entry === undefined) throw new Error(`There is no page ${by} steps away in the history.`);
    await devtools.send("Page.navigateToHistoryEntry", { entryId: entry.id });
  };

  return {
    goto: async (address) => {
      await page.goto(address, { waitUntil: "commit" });
    },
    back: () => traverse(-1),
    forward: () => traverse(1),
    reload: async () => {
      await devtools.send("Page.reload");
    },
    evaluate: async (expression) => {
      const { result, exceptionDetails } = await devtools.send("Runtime.evaluate", { expression });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return String(result.value);
    },
    click: (x, y) => page.mouse.click(x, y),
    press: (key: Key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    attach: (selector, file) => page.setInputFiles(selector, file),
    requests: async () => requests,
    complaints: async () => complaints,
    close: () => page.context().close(),
  };
}
