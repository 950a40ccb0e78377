import assert from "node:assert/strict";
import { test } from "node:test";
import { CALM, violations } from "./support/axe.ts";
import { startOperatorSite } from "./support/operator.ts";
import { everyPath } from "./support/paths.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage(startOperatorSite);

test("axe finds nothing on any page, narrow or wide, light or dark", async () => {
  const { context, page } = await stage.visit(CALM);
  const found: string[] = [];
  for (const path of await everyPath(stage.site.url)) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    found.push(...(await violations(page)).map((line) => `${path} ${line}`));
  }
  assert.deepEqual(found, []);
  await context.close();
});
