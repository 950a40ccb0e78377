import assert from "node:assert/strict";
import { test } from "node:test";
import articles from "../../generated/articles.json" with { type: "json" };
import { LOCATION_OPTIONS, PROPERTY_OPTIONS, PROPERTY_TYPE_LABELS } from "../../src/inquiry/options.ts";
import inquiry from "../../generated/inquiry.ts";
import { everyPath } from "./support/paths.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

/** Returns the hrefs in the main part of a page that lead to the questionnaire. */
function hrefsIn(html: string, kind = /./): string[] {
  const [main = ""] = /<main.*<\/main>/s.exec(html) ?? [];
  const links = [...main.matchAll(/<a\b[^>]* href="(\/fragebogen[^"]*)"[^>]*>/g)].filter(([tag]) => kind.test(tag));
  return links.map(([, href = ""]) => href.replaceAll("&amp;", "&"));
}

/** Returns the links in the main parts of all pages that preselect something in the questionnaire, each with one such page. */
async function targets(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const path of await everyPath(stage.site.url)) {
    if (path === "/fragebogen" || path === "/danke") continue;
    const html = await (await fetch(stage.site.url + path)).text();
    for (const href of hrefsIn(html)) if (href.includes("?")) found.set(href, path);
  }
  return found;
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

test("every link to the questionnaire preselects what it says", async () => {
  const { page } = await stage.visit();
  const faults: string[] = [];
  const all = await targets();
  for (const [href, path] of all) {
    const query = new URL(href, stage.site.url).searchParams;
    const { property = "Keine Angabe", location = "Keine Angabe" } = labels(query);
    query.set("step", "4");
    await page.goto(`/fragebogen?${query}`);
    await page.locator(".summary-text").first().waitFor({ state: "attached" });
    const shown = await page.locator(".summary-text").allTextContents();
    if (shown[0] !== property || shown[3] !== location) faults.push(`${path}: ${href} shows ${shown.join(", ")}`);
    if (query.get("propertyType") !== "other" && property === location) faults.push(`${path}: ${href} chooses nothing`);
    await page.evaluate(() => sessionStorage.clear());
  }
  assert.ok(all.size > 10, `${all.size} links`);
  assert.deepEqual(faults, []);
});

test("an article about one place or building says so in all its links", async () => {
  for (const { id, problem, property_type: propertyType } of articles) {
    if (!problem && !propertyType) continue;
    const hrefs = hrefsIn(await (await fetch(`${stage.site.url}/blog/${id}`)).text(), /class="button/);
    assert.ok(hrefs.length >= 3, id);
    for (const href of hrefs) assert.match(href, /\?(problem|propertyType)=/, id);
  }
});
