import assert from "node:assert/strict";
import { test } from "node:test";
import articles from "../../generated/articles.json" with { type: "json" };
import faq from "../../generated/faq.json" with { type: "json" };
import type { Page } from "playwright-core";
import { useStage } from "./support/stage.ts";

const stage = useStage();

const results = (page: Page) => page.getByRole("main").getByRole("listitem").getByRole("link");

test("the search finds articles and questions, whatever the ending of a word or the spelling of its umlauts", async () => {
  const { page, complaints } = await stage.visit();
  await page.goto("/blog");
  await page.getByRole("link", { name: "In allen Artikeln suchen" }).click();
  await page.getByRole("searchbox", { name: "Suchbegriff" }).fill("was kostet ein Netz");
  await page.keyboard.press("Enter");
  await page.waitForURL("/search?q=was+kostet+ein+Netz");
  assert.equal(await page.getByRole("searchbox").inputValue(), "was kostet ein Netz");
  const hrefs = await results(page).evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  await page
    .getByRole("status")
    .filter({ hasText: `${hrefs.length} Treffer` })
    .waitFor();
  assert.ok(hrefs.includes("/blog/taubenabwehr-kosten-hamburg") && hrefs.includes("/faq#kosten"), `${hrefs}`);
  await page.goto("/search?q=vergraemen");
  await results(page).first().click();
  await page.waitForURL("/blog/tauben-vergraemen-hamburg");
  assert.deepEqual(complaints, []);
});

test("a search without results says so, shows the query as plain text, and leads to the overview", async () => {
  const { page } = await stage.visit();
  await page.goto(`/search?q=${encodeURIComponent("<b>xyzzy</b>")}`);
  await page.getByRole("status").filter({ hasText: "„<b>xyzzy</b>“ haben wir nichts" }).waitFor();
  assert.equal(await results(page).count(), 0);
  await page.getByRole("link", { name: "Alle Artikel ansehen" }).click();
  await page.waitForURL("/blog");
});

test("without JavaScript the search page lists everything", async () => {
  const { page } = await stage.visit({ javaScriptEnabled: false });
  await page.goto("/search?q=netz");
  assert.equal(await results(page).count(), articles.length + faq.entries.length + faq.services.length);
  assert.ok(await page.getByRole("link", { name: "Alle Artikel ansehen" }).isVisible());
});
