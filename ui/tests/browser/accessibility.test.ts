import assert from "node:assert/strict";
import { test } from "node:test";
import { CALM, violations } from "./support/axe.ts";
import { startOperatorSite } from "./support/operator.ts";
import { everyPath } from "./support/paths.ts";
import { started } from "./support/settled.ts";
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
  const { context, page, complaints } = await stage.visit(CALM);
  const found: string[] = [];
  for (const path of await paths()) {
    await page.goto(path);
    await started(page); // else it would be chance which of both forms is looked at
    assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1, path);
    found.push(...(await violations(page)).map((line) => `${path} ${line}`));
  }
  assert.deepEqual(found, []);
  // A page that does not exist says so in the console, as the browser does.
  assert.deepEqual(
    complaints.filter((line) => !/\b404\b/.test(line)),
    [],
  );
  await context.close();
});
