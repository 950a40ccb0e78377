import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { useStage } from "./support/stage.ts";

const stage = useStage();

const ARTICLE = "/blog/taubenabwehr-altona";
const PICTURE = "**/assets/taubenabwehr-altona.*.svg";
const DEFAULT_PICTURE = "**/platzhalter.svg";

/** The picture at the head of the article. */
const frameOf = (page: Page): Locator => page.locator(".article-header .picture");
const settled = (page: Page, state: string): Promise<void> =>
  page.locator(`.article-header .picture[data-picture="${state}"]`).waitFor();
const isPulsing = (frame: Locator): Promise<boolean> =>
  frame.evaluate((element) => getComputedStyle(element, "::before").animationName !== "none");

test("a picture reserves its space and pulses until it has loaded", async () => {
  const { context, page, complaints } = await stage.visit();
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(PICTURE, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(ARTICLE, { waitUntil: "domcontentloaded" });
  const frame = frameOf(page);
  const before = await frame.boundingBox();
  assert.ok(before && before.height > 150);
  assert.equal(await isPulsing(frame), true);

  release();
  await settled(page, "loaded");
  assert.equal(await isPulsing(frame), false);
  assert.deepEqual(await frame.boundingBox(), before);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("in the place of a picture that fails stands the default one, or its description if that fails, too", async () => {
  const { context, page } = await stage.visit();
  await page.route(PICTURE, (route) => route.abort());
  await page.goto(ARTICLE);
  await settled(page, "default");
  const frame = frameOf(page);
  const image = frame.getByRole("img");
  assert.equal(await image.getAttribute("src"), "/platzhalter.svg");
  assert.match((await image.getAttribute("alt")) ?? "", /Elbe/);
  await page.route(DEFAULT_PICTURE, (route) => route.abort());
  await page.reload();
  await settled(page, "failed");
  await frame.getByText("Taube auf einem Poller an der Elbe").waitFor();
  const box = await frame.boundingBox();
  assert.ok(box && box.height > 150, "the panel keeps the place of the picture");
  await context.close();
});
