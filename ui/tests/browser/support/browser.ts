import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type BrowserServer,
  chromium,
  type Page,
} from "playwright-core";
import { load } from "./settled.ts";

/** Flags that make a browser run in a container and keep it off the network. */
export const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Names the address of a browser that all test files use (`tests/browser/run.ts`). */
export const SHARED_BROWSER = "TAUBENABWEHR_TEST_BROWSER";

/** Chromium without its windows, which renders the same and takes two thirds of the processor time. */
const SHELL = process.env.CHROMIUM_SHELL ?? CHROMIUM;

const LAUNCH = { executablePath: CHROMIUM, args: FLAGS };

/** Starts a browser for other processes. */
export function serveBrowser(): Promise<BrowserServer> {
  // Lines are as wide as on a screen only if letters are not moved to whole pixels, which the shell does unless told.
  return chromium.launchServer({ executablePath: SHELL, args: [...FLAGS, "--font-render-hinting=none"] });
}

/** Opens a browser, or uses the shared one. Closing it closes what was opened by it. */
export function openBrowser(): Promise<Browser> {
  const address = process.env[SHARED_BROWSER];
  return address === undefined ? chromium.launch(LAUNCH) : chromium.connect(address);
}

/** Opens a browser that keeps pages that were left, as it does for its users. Under test it would not. */
export function openKeepingBrowser(): Promise<Browser> {
  return chromium.launch({ ...LAUNCH, ignoreDefaultArgs: ["--disable-back-forward-cache"] });
}

export const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const DESKTOP: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };

/** A visit to the site, with the complaints of its page. */
export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors and warnings of the console and uncaught exceptions, of all documents that it shows. */
  readonly complaints: string[];
}

/** Opens a page as a visitor who has decided about cookies, so that no banner is in the way. */
export async function visit(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = DESKTOP,
): Promise<Visit> {
  const visit = await firstVisit(browser, origin, options);
  await visit.context.addInitScript(() => {
    localStorage.setItem("cookieConsent", localStorage.getItem("cookieConsent") ?? "rejected");
  });
  return visit;
}

/** Opens a page as a visitor who is new to the site. */
export async function firstVisit(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = DESKTOP,
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: origin,
    locale: "de-DE",
    timezoneId: "Europe/Berlin",
    // A quarter of the time goes into fades that most tests do not look at.
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000); // a busy machine takes its time
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return { context, page, complaints };
}

/** Opens a path with the clock stopped, and waits until its scripts have started. */
export async function openWithoutTime(page: Page, path: string): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await load(page, path);
}
