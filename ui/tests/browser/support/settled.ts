import type { Page } from "playwright-core";

/*
 * Functions that run in the page must define helpers as methods of an object, because the test compiler wraps named
 * functions in a helper that the page does not have.
 */

/**
 * Waits until the page's scripts have started: the one that every page has, and the island's if there is one. Tasks that
 * they have queued run before a background task does.
 */
export async function started(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.documentElement.dataset.started !== undefined && document.querySelector("[data-mode=step]") === null,
  );
  await page.evaluate(async () => {
    for (let turns = 0; turns < 5 /* tasks and effects may ask for further ones */; turns += 1)
      await scheduler.postTask(() => {}, { priority: "background" });
  });
}

/** Opens a path, and waits until its scripts have started. */
export async function load(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await started(page);
}

/** Reloads the page, and waits until its scripts have started. */
export async function reload(page: Page): Promise<void> {
  await page.reload();
  await started(page);
}

/** The shortest timer in milliseconds that ends a state, such as a toast or step 5. */
const LONG_MS = 4_000;

/** Freezes states while they are examined: long timers never fire. Call it before opening the page. */
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
