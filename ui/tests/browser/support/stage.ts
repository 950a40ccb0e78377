import { after, afterEach, before } from "node:test";
import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { firstVisit, openBrowser, type Visit, visit } from "./browser.ts";
import { type Site, startSite } from "./site.ts";

/** A running site, shared by all tests of a file. */
export interface SiteStage {
  readonly site: Site;
}

/** A running site and a browser, shared by all tests of a file. Whatever a test opens is closed after it. */
export interface Stage extends SiteStage {
  readonly browser: Browser;
  /** Opens a page as a visitor who has already decided about cookies. */
  visit(options?: BrowserContextOptions): Promise<Visit>;
  /** Opens a page as a new visitor. */
  firstVisit(options?: BrowserContextOptions): Promise<Visit>;
}

/** Prepares the tests of a file, once. A separate `before` would not wait: Node.js 20 starts all hooks at the same time. */
type Prepare<S> = (stage: S) => Promise<void> | void;

/** Starts a site before the tests of a file and stops it after the last one. */
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

/** Starts a site and a browser before the tests of a file, and stops whichever has started after the last one. */
export function useStage(
  start: () => Promise<Site> = startSite,
  prepare: Prepare<Stage> = () => {},
  open: () => Promise<Browser> = openBrowser,
): Stage {
  let site: Site;
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const stage: Stage = {
    get site() {
      return site;
    },
    get browser() {
      return browser;
    },
    visit: (options) => kept(visit(browser, site.url, options)),
    firstVisit: (options) => kept(firstVisit(browser, site.url, options)),
  };
  const kept = async (opening: Promise<Visit>) => {
    const opened = await opening;
    contexts.push(opened.context);
    return opened;
  };
  before(async () => {
    await everyOne([start().then((started) => (site = started)), open().then((opened) => (browser = opened))]);
    await prepare(stage);
  });
  afterEach(() => everyOne(contexts.splice(0).map((context) => context.close())));
  after(() => everyOne([browser?.close(), site?.stop()]));
  return stage;
}

/** Waits for all tasks even if one fails: a process left running would keep the tests from ending. */
export async function everyOne(tasks: readonly (Promise<unknown> | undefined)[]): Promise<void> {
  const failed = (await Promise.allSettled(tasks)).find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}
