import assert from "node:assert/strict";
import { test } from "node:test";
import { useStage } from "./support/stage.ts";

const stage = useStage();

test("no page of the sitemap logs an error or contacts another host", async () => {
  const sitemap = await (await fetch(`${stage.site.url}/sitemap.xml`)).text();
  const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = ""]) => new URL(url).pathname);
  assert.ok(paths.length > 20);
  const { context, page, complaints } = await stage.visit();
  const strangers: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(stage.site.url) && !request.url().startsWith("data:")) strangers.push(request.url());
  });
  for (const path of [...paths, "/danke", "/fragebogen?step=4"]) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    assert.deepEqual(complaints, [], path);
  }
  assert.deepEqual(strangers, []);
  await context.close();
});
