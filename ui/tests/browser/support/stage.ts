import { after, before } from "node:test";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { firstVisit, openBrowser, type Visit, visit } from "./browser.ts";
import { type Site, startSite } from "./site.ts";

/** A running site and a browser, for all tests of a file. */
export interface Stage {
  readonly site: Site;
  readonly browser: Browser;
  /** Opens a page as a visitor who has decided about cookies. */
  visit(options?: BrowserContextOptions): Promise<Visit>;
  /** Opens a page as a visitor of whom the site knows nothing. */
  firstVisit(options?: BrowserContextOptions): Promise<Visit>;
}

/** Starts site and browser before the tests of a file, and ends them after the last one. */
export function useStage(...args: string[]): Stage {
  let site: Site;
  let browser: Browser;
  before(async () => {
    [site, browser] = await Promise.all([startSite(...args), openBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await site?.stop();
  });
  return {
    get site() {
      return site;
    },
    get browser() {
      return browser;
    },
    visit: (options) => visit(browser, site.url, options),
    firstVisit: (options) => firstVisit(browser, site.url, options),
  };
}
