import assert from "node:assert/strict";
import { test } from "node:test";
import { CALM, PHONE_SIZE, violations } from "./support/axe.ts";
import { type Check, Findings, short } from "./support/checks.ts";
import { Links } from "./support/links.ts";
import { startOperatorSite } from "./support/operator.ts";
import { missingRules } from "./support/rules.ts";
import { holdStates } from "./support/settled.ts";
import { type Stage, useStage } from "./support/stage.ts";
import { OTHERS, QUESTIONNAIRE, type State, UNDECIDED } from "./support/states.ts";

const links = new Links();

const AXE: Check = {
  name: "axe finds nothing in any state",
  look: (page) => violations(page, { sizes: [PHONE_SIZE] }),
};
const RULES: Check = { name: "every page loads the rules for everything that scripts show", look: missingRules };

const findings = new Findings();
const unreached: string[] = [];

// All checks share one walk, because some states take several pages to reach.
const stage = useStage(startOperatorSite, async ({ visit, firstVisit }) => {
  await walk([...QUESTIONNAIRE, ...OTHERS], visit);
  await walk(UNDECIDED, firstVisit);
});

async function walk(states: readonly State[], open: Stage["visit"]): Promise<void> {
  const { context, page } = await open(CALM);
  await holdStates(page);
  for (const { name, reach } of states) {
    try {
      await reach(page);
    } catch (error) {
      // A state that cannot be reached must not hide faults in the others.
      unreached.push(`${name}: ${short(error)}`);
      continue;
    }
    await findings.ask(page, name, [RULES, links.check, AXE]);
  }
  await context.close();
}

test("every state can be reached", () => assert.deepEqual(unreached, []));

for (const name of [RULES.name, links.check.name, AXE.name]) {
  const least = QUESTIONNAIRE.length + OTHERS.length + UNDECIDED.length;
  test(name, () => assert.deepEqual(findings.of(name, least), []));
}

test("every link that only scripts show leads to an existing page and anchor", async () => {
  assert.deepEqual(await links.follow(stage.site.url), []);
});
