import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openWithoutTime } from "./support/browser.ts";
import { progress } from "./support/questionnaire.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

const tile = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name });
const selected = (page: Page) => page.locator("[data-selected]").allInnerTexts();
const path = (page: Page) => new URL(page.url()).pathname;

test("a chosen tile is highlighted for 200 ms, then its questionnaire opens", async () => {
  const { context, page, complaints } = await stage.visit({ reducedMotion: "reduce" });
  await openWithoutTime(page, "/");
  assert.deepEqual(await selected(page), []);
  await tile(page, "Haus").click();
  await page.clock.runFor(100);
  await tile(page, "Gastronomie").click();
  assert.equal((await selected(page)).length, 1);
  assert.match((await selected(page))[0] ?? "", /^Gastronomie/);
  await page.clock.runFor(199);
  assert.equal(path(page), "/", "the second choice restarts the delay");
  await page.clock.runFor(1);
  await page.waitForURL("/fragebogen?propertyType=commercial-restaurant&step=1");
  await page.clock.resume();
  await progress(page, 2).waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

test("opening a tile in a new tab selects nothing in this one", async () => {
  const { context, page } = await stage.visit();
  await page.goto("/");
  const opened = context.waitForEvent("page");
  await tile(page, "Industrie").click({ modifiers: ["ControlOrMeta"] });
  const other = await opened;
  await other.waitForURL("**/fragebogen?propertyType=industrial&step=1");
  assert.deepEqual(await selected(page), []);
  assert.equal(path(page), "/");
  await context.close();
});
