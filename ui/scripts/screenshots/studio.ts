import type { Browser, Page } from "playwright-core";
import { firstVisit, visit } from "../../tests/browser/support/browser.ts";
import { holdStates, started } from "../../tests/browser/support/settled.ts";
import type { Shot } from "./shots.ts";

/** Heights of common screens by width: phone, tablet in portrait, desktop. */
const HEIGHTS: Readonly<Record<number, number>> = { 390: 844, 768: 1024, 1440: 900 };
const USUAL_HEIGHT = 900;

/** Pages at one width in one colour scheme. */
export interface Studio {
  /** Takes a picture. Returns the reason if it fails. */
  take(shot: Shot, file: string): Promise<string | null>;
  close(): Promise<void>;
}

export async function openStudio(
  browser: Browser,
  origin: string,
  width: number,
  colorScheme: "light" | "dark",
): Promise<Studio> {
  const viewport = { width, height: HEIGHTS[width] ?? USUAL_HEIGHT };
  const options = { viewport, colorScheme, reducedMotion: "reduce" } as const;
  const decided = await visit(browser, origin, options);
  await holdStates(decided.page);

  const take = async (shot: Shot, file: string) => {
    // A first visit each time, because the banner does not return once it was answered.
    const { page, context } = shot.isUndecided ? await firstVisit(browser, origin, options) : decided;
    try {
      await shot.reach(page);
      if (!shot.isPlain) await started(page);
      if (!shot.isOneScreen) await seeAll(page);
      await page.screenshot({ path: file, fullPage: !shot.isOneScreen, animations: "disabled" });
      return null;
    } catch (error) {
      return String(error).split("\n", 1).join("");
    } finally {
      if (shot.isUndecided) await context.close();
    }
  };
  return { take, close: () => decided.context.close() };
}

/** Scrolls through the page and back, so that everything lazy is loaded and shown. */
async function seeAll(page: Page): Promise<void> {
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
