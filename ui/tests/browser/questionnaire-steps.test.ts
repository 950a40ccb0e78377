import { test } from "node:test";
import { answerAll, back, progress } from "./support/questionnaire.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

test("a browser that does not go back leaves no invisible question", async () => {
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
