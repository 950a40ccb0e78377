import assert from "node:assert/strict";
import { test } from "node:test";
import { CALM, PHONE_SIZE, violations } from "./support/axe.ts";
import { startOperatorSite } from "./support/operator.ts";
import { holdStates } from "./support/settled.ts";
import { type Stage, useStage } from "./support/stage.ts";
import { OTHERS, QUESTIONNAIRE, type State, UNDECIDED } from "./support/states.ts";

const stage = useStage(startOperatorSite);

async function check(states: readonly State[], open: Stage["visit"]): Promise<void> {
  const { context, page } = await open(CALM);
  await holdStates(page);
  const found: string[] = [];
  for (const { name, reach, isNarrow } of states) {
    try {
      await reach(page);
      const lines = await violations(page, isNarrow ? [PHONE_SIZE] : undefined);
      found.push(...lines.map((line) => `${name} ${line}`));
    } catch (error) {
      // A state that cannot be reached must not hide the faults of the others.
      found.push(`${name}: ${String(error).split("\n", 3).join(" ")}`);
    }
  }
  await context.close();
  assert.deepEqual(found, []);
}

test("axe finds nothing on any step of the questionnaire, empty, filled in or with errors", () =>
  check(QUESTIONNAIRE, stage.visit));

test("axe finds nothing after something has opened, moved or shown a message", () => check(OTHERS, stage.visit));

test("axe finds nothing while the cookie banner is shown", () => check(UNDECIDED, stage.firstVisit));
