import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { PHONE } from "./support/browser.ts";
import { startOperatorSite } from "./support/operator.ts";
import { paintedFonts } from "./support/measure.ts";
import { SAMPLES } from "./support/paths.ts";
import { progress } from "./support/questionnaire.ts";
import { load } from "./support/settled.ts";
import { shifts, watchShifts } from "./support/shifts.ts";
import { useStage } from "./support/stage.ts";
import { banner, chat } from "./support/overlays.ts";

/** Milliseconds by which code and fonts lag behind the text, as on a slow network: enough to paint a frame. */
const CODE_DELAY = 300;
const FONT_DELAY = 600;

/** A shift of words by a few pixels within a line, which a fallback font of the same size may cause. */
const SIDEWAYS = 0.001;

const MOVING = { ...PHONE, reducedMotion: "no-preference" } as const;

const stage = useStage(startOperatorSite);

/** Scrolls in steps, as a thumb does. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += 200) {
      window.scrollTo({ top: y, behavior: "instant" });
      await new Promise((resolve) => requestAnimationFrame(resolve));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
}

async function delay(context: BrowserContext, what: string, milliseconds: number): Promise<void> {
  await context.route(what, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    await route.continue();
  });
}

for (const path of SAMPLES) {
  test(`nothing moves by itself on ${path}: while loading, when banner and chat appear, while scrolling`, async () => {
    const { context, page } = await stage.firstVisit(MOVING);
    await watchShifts(context);
    await load(page, path);
    assert.deepEqual(await shifts(page), [], "loading");
    await banner(page).waitFor();
    assert.deepEqual(await shifts(page), [], "the banner coming");
    await chat(page).waitFor();
    assert.deepEqual(await shifts(page), [], "the chat button coming");
    await scrollThrough(page);
    assert.deepEqual(await shifts(page), [], "scrolling");
  });
}

for (const path of ["/", "/fragebogen"]) {
  test(`nothing moves on ${path} when code and fonts arrive late`, async () => {
    const { context, page } = await stage.visit(MOVING);
    await watchShifts(context);
    await delay(context, "**/*.js", CODE_DELAY);
    await delay(context, "**/*.woff2", FONT_DELAY);
    await load(page, path);
    await page.evaluate(() => document.fonts.ready);
    for (const words of ["h1", "main p"]) {
      assert.ok(
        (await paintedFonts(page, words)).some(({ isCustomFont }) => isCustomFont),
        words,
      );
    }
    const seen = (await shifts(page)).filter((shift) => Number.parseFloat(shift) >= SIDEWAYS);
    assert.deepEqual(seen, []);
  });
}

test("nothing moves by itself from one step of the questionnaire to the next", async () => {
  const { context, page } = await stage.visit(MOVING);
  await watchShifts(context);
  for (const step of [0, 1, 2, 3, 4]) {
    await page.goto(`/fragebogen?step=${step}`);
    await progress(page, step + 1).waitFor();
    assert.deepEqual(await shifts(page), [], `step ${step}`);
  }
});
