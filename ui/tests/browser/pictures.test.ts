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

test("a picture that fails to load is replaced by the default picture and keeps its description", async () => {
  const { context, page } = await stage.visit();
  await page.route(PICTURE, (route) => route.abort());
  await page.goto(ARTICLE);
  await settled(page, "default");
  const image = frameOf(page).getByRole("img");
  assert.equal(await image.getAttribute("src"), "/platzhalter.svg");
  assert.match((await image.getAttribute("alt")) ?? "", /Elbe/);
  assert.ok(await image.evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth > 0));
  await context.close();
});

test("if the default picture fails, too, the description is shown", async () => {
  const { context, page } = await stage.visit();
  for (const address of [PICTURE, DEFAULT_PICTURE]) await page.route(address, (route) => route.abort());
  await page.goto(ARTICLE);
  await settled(page, "failed");
  const frame = frameOf(page);
  await frame.getByText("Taube auf einem Poller an der Elbe").waitFor();
  assert.equal(await frame.locator("img").count(), 0);
  const box = await frame.boundingBox();
  assert.ok(box && box.height > 150, "the panel keeps the place of the picture");
  await context.close();
});

test("every card's picture loads when it comes close to the viewport", async () => {
  const { context, page, complaints } = await stage.visit();
  await page.goto("/blog");
  const frames = page.locator(".article-card .picture");
  const count = await frames.count();
  assert.ok(count >= 9);
  for (let index = 0; index < count; index += 1) {
    await frames.nth(index).scrollIntoViewIfNeeded();
    await page.locator(`.picture[data-picture="loaded"] >> nth=${index}`).waitFor();
  }
  assert.deepEqual(complaints, []);
  await context.close();
});

test("without JavaScript pictures are shown, and nothing pulses for ever", async () => {
  const { context, page } = await stage.visit({ javaScriptEnabled: false });
  await page.goto(ARTICLE);
  const frame = frameOf(page);
  await frame.getByRole("img", { name: /Elbe/ }).waitFor();
  const rounds = await frame.evaluate((element) =>
    Number(getComputedStyle(element, "::before").animationIterationCount),
  );
  assert.ok(rounds < 50, String(rounds));
  await context.close();
});
