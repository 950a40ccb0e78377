import assert from "node:assert/strict";
import { test } from "node:test";
import { heading } from "./support/questionnaire.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

test("an error while rendering is shown, with its message and a way home", async () => {
  const { context, page } = await stage.visit();
  await page.addInitScript(() => {
    if (location.pathname !== "/fragebogen") return;
    URLSearchParams.prototype.get = () => {
      throw new Error("This browser is broken.");
    };
  });
  await page.goto("/fragebogen");
  await heading(page, "Unexpected Application Error!").waitFor();
  const alert = page.getByRole("alert");
  assert.match(await alert.innerText(), /This browser is broken\./);
  await alert.getByRole("link", { name: "Zur Startseite" }).click();
  await heading(page, "Wo haben Sie ein Taubenproblem?").waitFor();
  await context.close();
});

test("an error before anything is rendered leaves the whole form", async () => {
  const { context, page } = await stage.visit();
  await page.route("/fragebogen", async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: (await response.text()).replace(/(<script[^>]* id="settings">)[^<]*/, "$1{"),
    });
  });
  await page.goto("/fragebogen");
  await page.locator("[data-mode=whole]").waitFor();
  await heading(page, "Kostenlos Angebote anfragen").waitFor();
  await context.close();
});
