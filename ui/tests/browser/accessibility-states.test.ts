import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { CALM, PHONE_SIZE, violations } from "./support/axe.ts";
import { openBrowser, visit } from "./support/browser.ts";
import { startOperatorSite } from "./support/operator.ts";
import { holdStates } from "./support/settled.ts";
import type { Site } from "./support/site.ts";
import { OTHERS, QUESTIONNAIRE, type State, UNDECIDED } from "./support/states.ts";
import { visitUndecided } from "./support/undecided.ts";

let site: Site;
let browser: Browser;

before(async () => {
  [site, browser] = await Promise.all([startOperatorSite(), openBrowser()]);
});
after(async () => {
  await browser?.close();
  await site?.stop();
});

async function check(states: readonly State[], open: typeof visit | typeof visitUndecided): Promise<void> {
  const { context, page } = await open(browser, site.url, CALM);
  await holdStates(page);
  const found: string[] = [];
  for (const { name, reach, isNarrow } of states) {
    try {
      await reach(page);
      const lines = await violations(page, isNarrow ? [PHONE_SIZE] : undefined);
      found.push(...lines.map((line) => `${name} ${line}`));
    } catch (error) {
      // One state that cannot be reached must not hide what is wrong with the others.
      found.push(`${name}: ${String(error).split("\n", 3).join(" ")}`);
    }
  }
  await context.close();
  assert.deepEqual(found, []);
}

test("axe finds nothing on any step of the questionnaire, filled in or not, with and without mistakes", () =>
  check(QUESTIONNAIRE, visit));

test("axe finds nothing where something opened, moved or reported", () => check(OTHERS, visit));

test("axe finds nothing with the cookie banner in view", () => check(UNDECIDED, visitUndecided));
