import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { delivered, failToSend } from "./support/failed-sending.ts";
import { INQUIRIES } from "./support/inquiries.ts";
import { heading } from "./support/questionnaire.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

const ISLAND = "**/assets/island.*.js";

/** Reads the message that is shown, and follows the way home. */
async function leave(page: Page): Promise<string> {
  await heading(page, "Unexpected Application Error!").waitFor();
  const alert = page.getByRole("alert");
  const text = await alert.innerText();
  await alert.getByRole("link", { name: "Zur Startseite" }).click();
  await heading(page, "Wo haben Sie ein Taubenproblem?").waitFor();
  return text;
}

// The questionnaire has a form without script in its place: see `plain-form.test.ts`.
test("a script that does not come leaves nobody waiting", async () => {
  const { context, page } = await stage.visit();
  await page.route(ISLAND, (route) => route.abort());
  await page.goto("/danke");
  await page.locator("[data-island][data-failed]").waitFor({ state: "attached" });
  assert.match(await leave(page), /module .*island.* could not be loaded/);
  await context.close();
});

test("where the island's script does not come, a waiting inquiry is delivered all the same", async () => {
  const { context, page } = await stage.visit();
  await failToSend(page);
  await page.unroute(INQUIRIES);
  await page.route(ISLAND, (route) => route.abort());
  await page.goto("/danke");
  await delivered(page).waitFor();
  await context.close();
});

test("an error while rendering is shown, with its message and a way home", async () => {
  const { context, page } = await stage.visit();
  await page.addInitScript(() => {
    if (location.pathname !== "/fragebogen") return;
    URLSearchParams.prototype.get = () => {
      throw new Error("This browser is broken.");
    };
  });
  await page.goto("/fragebogen");
  assert.match(await leave(page), /This browser is broken\./);
  await context.close();
});

test("so is an error before anything is rendered", async () => {
  const { context, page } = await stage.visit();
  await page.route("/danke", async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: (await response.text()).replace(/(<script[^>]* id="settings">)[^<]*/, "$1{"),
    });
  });
  await page.goto("/danke");
  assert.match(await leave(page), /JSON/);
  await context.close();
});
