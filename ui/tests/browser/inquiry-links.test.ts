import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import articles from "../../generated/articles.json" with { type: "json" };
import { LOCATION_OPTIONS, PROPERTY_OPTIONS, PROPERTY_TYPE_LABELS } from "../../src/inquiry/options.ts";
import inquiry from "../../generated/inquiry.ts";
import { everyPath } from "./support/paths.ts";
import { started } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

const LINKS = 'a[href^="/fragebogen"]';

/** What links may be called besides the one label: the heading of a step, a label of a card, a name of a tile. */
const OTHER_LABELS = new Set([
  "Angebot anfordern",
  "Angebote einholen",
  "Anfrage stellen",
  "Fragebogen",
  "Anfrage noch einmal stellen",
]);
const TILES = ".hero-tile, .property-picker-tile";

/** Returns the addresses of the questionnaire that a page's main part links to, each once. */
async function targets(page: Page): Promise<string[]> {
  const found = await page
    .locator(`main ${LINKS}`)
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  return [...new Set(found.flatMap((href) => href ?? []))];
}

/** Returns the labels that the questionnaire's summary shows for the building and the place. */
function labels(query: URLSearchParams): { property: string | undefined; location: string | undefined } {
  const ofProblem = new Map(Object.entries(inquiry.preselect.problem)).get(query.get("problem") ?? "");
  const types = new Map(Object.entries(inquiry.preselect.property_type));
  const chosen = query.get("propertyType") ?? "";
  const type = types.get(chosen) ?? ofProblem?.type;
  return {
    property:
      PROPERTY_OPTIONS.find(({ id }) => id === chosen)?.label ?? (type ? PROPERTY_TYPE_LABELS[type] : undefined),
    location: LOCATION_OPTIONS.find(({ id }) => id === ofProblem?.location)?.label,
  };
}

test("every link to the questionnaire, followed, chooses what it says", async () => {
  const { context, page } = await stage.visit();
  const faults: string[] = [];
  let followed = 0;
  for (const path of await everyPath(stage.site.url)) {
    if (path === "/fragebogen" || path === "/danke") continue;
    await page.goto(path);
    for (const href of (await targets(page)).filter((one) => one.includes("?"))) {
      await page.goto(path);
      await started(page);
      await page.locator(`main a[href="${href}"]`).first().click();
      await page.waitForURL("**/fragebogen?**");
      const query = new URL(page.url()).searchParams;
      const { property = "Keine Angabe", location = "Keine Angabe" } = labels(query);
      query.set("step", "4");
      await page.goto(`/fragebogen?${query}`);
      await page.locator(".summary-text").first().waitFor();
      const shown = await page.locator(".summary-text").allTextContents();
      if (shown[0] !== property || shown[3] !== location) faults.push(`${path}: ${href} shows ${shown.join(", ")}`);
      if (query.get("propertyType") !== "other" && property === location)
        faults.push(`${path}: ${href} chooses nothing`);
      await page.evaluate(() => sessionStorage.clear());
      followed += 1;
    }
  }
  await context.close();
  assert.ok(followed > 10, `${followed} links`);
  assert.deepEqual(faults, []);
});

test("an article that is about one place or building says so in all its links", async () => {
  const { context, page } = await stage.visit();
  for (const { id, problem, property_type: propertyType } of articles) {
    if (!problem && !propertyType) continue;
    await page.goto(`/blog/${id}`);
    const hrefs = await page
      .locator(`main ${LINKS}.button`)
      .evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    assert.ok(hrefs.length >= 3, id);
    for (const href of hrefs) assert.match(href ?? "", /\?(problem|propertyType)=/, id);
  }
  await context.close();
});

test("one action has one name", async () => {
  const { context, page } = await stage.visit();
  const names = new Map<string, string>();
  for (const path of await everyPath(stage.site.url)) {
    await page.goto(path);
    const texts = await page
      .locator(LINKS)
      .evaluateAll(
        (links, tiles) => links.filter((one) => !one.matches(tiles)).map((one) => one.textContent.trim()),
        TILES,
      );
    for (const text of texts) names.set(text, path);
  }
  await context.close();
  assert.ok(names.delete("Angebote anfragen"));
  assert.deepEqual(
    [...names].filter(([name]) => !OTHER_LABELS.has(name)),
    [],
  );
});
