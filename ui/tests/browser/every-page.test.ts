import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { CALM, violations } from "./support/axe.ts";
import { type Check, Findings } from "./support/checks.ts";
import { actionNames } from "./support/inquiry-links.ts";
import { Links } from "./support/links.ts";
import { startOperatorSite } from "./support/operator.ts";
import { everyKindOfPage, SAMPLES } from "./support/paths.ts";
import { progress } from "./support/questionnaire.ts";
import { missingRules } from "./support/rules.ts";
import { load } from "./support/settled.ts";
import { SIZES } from "./support/sizes.ts";
import { useStage } from "./support/stage.ts";

/** Fewer pages than the site has, but enough to notice when half of them are missing. */
const FEWEST_PAGES = 25;

const STEPS = [0, 1, 2, 3, 4].map((step) => `/fragebogen?step=${step}`);

const links = new Links();
const names = actionNames();

const AXE: Check = {
  name: "axe finds nothing on any kind of page, narrow or wide, light or dark",
  look: (page, path) => violations(page, { isWhole: SAMPLES.some((sample) => sample === path) }),
};

const CHECKS: readonly Check[] = [
  {
    name: "every page has one main heading",
    look: async (page) => {
      const count = await page.getByRole("heading", { level: 1 }).count();
      return count === 1 ? [] : [`has ${count}`];
    },
  },
  { name: "every page loads the style rules for everything on it", look: missingRules },
  {
    name: "tables that fit are not tab stops, headlines hyphenate long words, and facts stay on one line",
    look: headAndTables,
  },
  links.check,
  names.check,
];

async function headAndTables(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const stops = [...document.querySelectorAll("[tabindex='0']:has(table)")];
    const idle = stops.filter((one) => one.checkVisibility() && one.scrollWidth <= one.clientWidth);
    const headlines = [...document.querySelectorAll("h1")].filter((one) => getComputedStyle(one).hyphens !== "auto");
    const torn = [...document.querySelectorAll(".fact")].filter((fact) => fact.getClientRects().length > 1);
    return [...idle, ...headlines, ...torn].map((element) => element.outerHTML.slice(0, 80));
  });
}

const findings = new Findings();
const complaints: string[] = [];
const strangers: string[] = [];

// Uses every setting that adds a link, so that no link is left out. All checks share one visit.
const stage = useStage(startOperatorSite, async ({ site, visit }) => {
  const { context, page, complaints: logged } = await visit(CALM);
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== site.url && protocol !== "data:") strangers.push(request.url());
  });
  for (const path of await everyKindOfPage(site.url)) {
    await load(page, path); // otherwise it would be a matter of chance which of the two forms is checked
    await findings.ask(page, path, [...CHECKS, AXE, ...SIZES]);
  }
  // Browsers log an error for every page that does not exist.
  complaints.push(...logged.filter((line) => !/\b404\b/.test(line)));
  for (const [step, path] of STEPS.entries()) {
    await page.goto(path);
    await progress(page, step + 1).waitFor();
    await findings.ask(page, path, SIZES);
  }
  await context.close();
});

for (const { name } of [...CHECKS, AXE, ...SIZES]) {
  test(name, () => assert.deepEqual(findings.of(name, FEWEST_PAGES), []));
}

test("no page logs errors or warnings in the browser", () => assert.deepEqual(complaints, []));

test("no page contacts another host without consent", () => assert.deepEqual(strangers, []));

test("every link on every page leads to an existing page and anchor", async () => {
  assert.ok(links.size > 60, `${links.size} links`);
  assert.deepEqual(await links.follow(stage.site.url), []);
});

test("one action has one name", () => assert.deepEqual(names.others(), []));
