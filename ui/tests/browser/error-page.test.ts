import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { heading, progress } from "./support/questionnaire.ts";
import { useStage } from "./support/stage.ts";
import { hydrated } from "./support/settled.ts";

const stage = useStage();

const FORMS = "**/assets/forms.*.js";
const offer = (page: Page) => page.getByRole("banner").getByRole("link", { name: "Angebot anfordern" });

test("a chunk that no longer exists is fetched with its page from the server", async () => {
  const { context, page } = await stage.visit();
  let isGone = true;
  await page.route(FORMS, (route) => (isGone ? route.fulfill({ status: 404 }) : route.continue()));
  await page.route("**/fragebogen", async (route) => {
    isGone = false;
    await route.continue();
  });
  await page.goto("/faq");
  await hydrated(page);
  await offer(page).click();
  await progress(page, 1).waitFor();
  assert.equal(new URL(page.url()).pathname, "/fragebogen");
  await context.close();
});

test("an error while rendering is shown, with its message and a way home", async () => {
  const { context, page } = await stage.visit();
  await page.route(FORMS, (route) => route.abort());
  await page.goto("/fragebogen");
  await heading(page, "Unexpected Application Error!").waitFor();
  const alert = page.getByRole("alert");
  assert.match(await alert.innerText(), /import|module/i, "the message of the error");
  await alert.getByRole("link", { name: "Zur Startseite" }).click();
  await heading(page, "Wo haben Sie ein Taubenproblem?").waitFor();
  await context.close();
});
