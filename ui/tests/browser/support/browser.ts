import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type BrowserServer,
  chromium,
  type Page,
} from "playwright-core";
import { load } from "./settled.ts";

/** Flags that let a browser run in a container and keep it off the network. */
export const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Holds the address of a browser that all test files share (`tests/browser/run.ts`). */
export const SHARED_BROWSER = "TAUBENABWEHR_TEST_BROWSER";

/** Chromium without its windows, which renders the same in two thirds of the processor time. */
const SHELL = process.env.CHROMIUM_SHELL ?? CHROMIUM;

const LAUNCH = { executablePath: CHROMIUM, args: FLAGS };

/** Starts a browser that other processes can use. */
export function serveBrowser(): Promise<BrowserServer> {
  // By default the shell aligns letters to whole pixels, which makes lines wider or narrower than on a screen.
  return chromium.launchServer({ executablePath: SHELL, args: [...FLAGS, "--font-render-hinting=none"] });
}

/** Opens a browser, or connects to the shared one. Closing it closes only what was opened through it. */
export function openBrowser(): Promise<Browser> {
  const address = process.env[SHARED_BROWSER];
  return address === undefined ? chromium.launch(LAUNCH) : chromium.connect(address);
}

/** Opens a browser with the back/forward cache, as users have it; tests normally run without. */
export function openKeepingBrowser(): Promise<Browser> {
  return chromium.launch({ ...LAUNCH, ignoreDefaultArgs: ["--disable-back-forward-cache"] });
}

export const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const DESKTOP: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };

/** A visit to the site, with the complaints of its page. */
export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors and warnings of the console and uncaught exceptions, from all documents that it shows. */
  readonly complaints: string[];
}

/** Opens a page as a visitor who has already decided about cookies, so that no banner is in the way. */
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

/** Opens a page as a new visitor. */
export async function firstVisit(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = DESKTOP,
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: origin,
    locale: "de-DE",
    timezoneId: "Europe/Berlin",
    // Fades would take a quarter of the time, and most tests do not look at them.
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000); // busy machines are slow
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
