import type { Page } from "playwright-core";

/*
 * Functions that run in the page must not name functions of their own otherwise than as methods of an object:
 * the compiler of the tests would wrap them in a helper that the page does not have.
 */

/**
 * Waits until the browser's code has taken over the page: React knows its elements and the router its entry in the
 * history. What follows in slices, and the effects that start enhancements, is done before a background task gets a turn.
 */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const header = document.querySelector("header");
    const isKnown = header !== null && Object.keys(header).some((key) => key.startsWith("__react"));
    return isKnown && (history.state as { key?: string } | null)?.key !== undefined;
  });
  await page.evaluate(async () => {
    for (let turns = 0; turns < 5 /* slices and effects may ask for further ones */; turns += 1)
      await scheduler.postTask(() => {}, { priority: "background" });
  });
}

/** Scrolls through the page and back, so that all that waits to be seen is loaded and shown. */
export async function seeAll(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const next = {
      frame() {
        return new Promise((resolve) => requestAnimationFrame(resolve));
      },
    };
    for (let y = 0; y < document.documentElement.scrollHeight; y += window.innerHeight * 0.8) {
      window.scrollTo({ top: y, behavior: "instant" });
      await next.frame();
      await next.frame();
    }
    await document.fonts.ready;
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
    window.scrollTo({ top: 0, behavior: "instant" });
    await next.frame();
  });
}

/** Milliseconds from which a timer counts as one that takes a state away: toasts, the redirect of step 5. */
const LONG_MS = 4_000;

/** Lets states stand while they are looked at: long timers never end. To be called before the page is opened. */
export async function holdStates(page: Page): Promise<void> {
  await page.addInitScript((limit) => {
    const start = window.setTimeout.bind(window);
    Object.assign(window, {
      setTimeout(handler: TimerHandler, delay = 0, ...rest: unknown[]) {
        return delay >= limit ? 0 : start(handler, delay, ...rest);
      },
    });
  }, LONG_MS);
}

declare const scheduler: { postTask(task: () => void, options: { priority: "background" }): Promise<void> };
