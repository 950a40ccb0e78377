import assert from "node:assert/strict";
import { test } from "node:test";
import { CALM, violations } from "./support/axe.ts";
import { startOperatorSite } from "./support/operator.ts";
import { everyPath } from "./support/paths.ts";
import { useStage } from "./support/stage.ts";

/** Category pages to check. They share one template, so a few of them stand for all. */
const CATEGORIES = 3;

const stage = useStage(startOperatorSite);

async function paths(): Promise<string[]> {
  const all = await everyPath(stage.site.url);
  const categories = all.filter((path) => path.startsWith("/blog/kategorie/"));
  return all.filter((path) => !categories.slice(CATEGORIES).includes(path));
}

test("axe finds nothing on any kind of page, narrow or wide, light or dark", async () => {
  const { context, page } = await stage.visit(CALM);
  const found: string[] = [];
  for (const path of await paths()) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    found.push(...(await violations(page)).map((line) => `${path} ${line}`));
  }
  assert.deepEqual(found, []);
  await context.close();
});
