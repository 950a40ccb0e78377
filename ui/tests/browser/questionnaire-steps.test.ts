import assert from "node:assert/strict";
import { test } from "node:test";
import { INQUIRIES } from "./support/inquiries.ts";
import { answerAll, back, progress, send } from "./support/questionnaire.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

test("the question stays visible if the browser does not go back", async () => {
  const { context, page } = await stage.visit();
  await page.addInitScript(() => {
    History.prototype.go = () => {};
  });
  await answerAll(page);
  await back(page).click();
  await progress(page, 4).waitFor();
  await page.locator(".questionnaire-stage[data-visible=true]").waitFor();
  await context.close();
});

test("no answer on any step can be changed while the inquiry is being sent", async () => {
  const { context, page } = await stage.visit();
  await answerAll(page);
  await page.route(INQUIRIES, () => {}); // never answered
  await send(page).click();
  const sending = page.getByRole("button", { name: "Wird gesendet..." });
  await sending.waitFor();
  assert.ok(await sending.isDisabled());
  const name = page.getByLabel("Vorname");
  assert.ok(await name.isDisabled());
  assert.equal(await name.inputValue(), "Änne");
  await page.locator("[aria-live=polite]").filter({ hasText: "Ihre Anfrage wird gesendet" }).waitFor();
  await page.goBack();
  await progress(page, 4).waitFor();
  assert.ok(await page.getByLabel("Balkon").isDisabled());
  await context.close();
});
