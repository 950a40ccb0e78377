import assert from "node:assert/strict";
import { test } from "node:test";
import { progress } from "./support/questionnaire.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

test("islands come in browsers that never tell when they paint", async () => {
  const { context, page, complaints } = await stage.visit();
  await page.addInitScript(() => {
    const observe = PerformanceObserver.prototype.observe;
    PerformanceObserver.prototype.observe = function (options) {
      if (options?.type !== "paint") observe.call(this, options);
    };
  });
  await page.goto("/fragebogen?step=1");
  await progress(page, 2).waitFor();
  assert.equal(await page.locator("script[src*='/island.']").count(), 1);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("an island waits for the first paint although everything has loaded before", async () => {
  const { context, page } = await stage.visit();
  await page.addInitScript(() => {
    const observe = PerformanceObserver.prototype.observe;
    // As on a fast line: the paint is told of only after the page has loaded.
    PerformanceObserver.prototype.observe = function (options) {
      if (options?.type !== "paint") observe.call(this, options);
      else window.addEventListener("load", () => setTimeout(() => observe.call(this, options), 20));
    };
    window.addEventListener("load", () =>
      setTimeout(() => {
        document.documentElement.dataset.ahead = String(document.querySelectorAll("script[src*='/island.']").length);
      }),
    );
  });
  await page.goto("/fragebogen?step=1");
  await progress(page, 2).waitFor();
  assert.equal(await page.locator("html").getAttribute("data-ahead"), "0");
  await context.close();
});
