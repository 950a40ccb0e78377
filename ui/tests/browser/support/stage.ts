import { after, before } from "node:test";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { firstVisit, openBrowser, type Visit, visit } from "./browser.ts";
import { type Site, startSite } from "./site.ts";

/** A running site, for all tests of a file. */
export interface SiteStage {
  readonly site: Site;
}

/** A running site and a browser, for all tests of a file. */
export interface Stage extends SiteStage {
  readonly browser: Browser;
  /** Opens a page as a visitor who has decided about cookies. */
  visit(options?: BrowserContextOptions): Promise<Visit>;
  /** Opens a page as a visitor of whom the site knows nothing. */
  firstVisit(options?: BrowserContextOptions): Promise<Visit>;
}

/** What a file does once, before its first test. A `before` of its own would not wait for the stage: Node.js 20 starts hooks at once. */
type Prepare<S> = (stage: S) => Promise<void> | void;

/** Starts a site before the tests of a file, and ends it after the last one. */
export function useSite(start: () => Promise<Site> = startSite, prepare: Prepare<SiteStage> = () => {}): SiteStage {
  let site: Site;
  const stage: SiteStage = {
    get site() {
      return site;
    },
  };
  before(async () => {
    site = await start();
    await prepare(stage);
  });
  after(() => site?.stop());
  return stage;
}

/** Starts site and browser before the tests of a file, and ends them, or the one that did start, after the last one. */
export function useStage(start: () => Promise<Site> = startSite, prepare: Prepare<Stage> = () => {}): Stage {
  let site: Site;
  let browser: Browser;
  const stage: Stage = {
    get site() {
      return site;
    },
    get browser() {
      return browser;
    },
    visit: (options) => visit(browser, site.url, options),
    firstVisit: (options) => firstVisit(browser, site.url, options),
  };
  before(async () => {
    await everyOne([start().then((started) => (site = started)), openBrowser().then((opened) => (browser = opened))]);
    await prepare(stage);
  });
  after(() => everyOne([browser?.close(), site?.stop()]));
  return stage;
}

/** Waits for each, also after one has failed: a process nobody waited for would run on, and keep the tests from ending. */
async function everyOne(tasks: readonly (Promise<unknown> | undefined)[]): Promise<void> {
  const failed = (await Promise.allSettled(tasks)).find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}
