import assert from "node:assert/strict";
import { test } from "node:test";
import { scaleTo } from "./range-bar.tsx";
import { demandByMonth } from "./season-chart.tsx";
import { findFact } from "../facts/facts.ts";

test("an axis has round numbers, from 0 past the highest value, and never too many", () => {
  assert.deepEqual(scaleTo(120).ticks, [0, 20, 40, 60, 80, 100, 120]);
  assert.deepEqual(scaleTo(80).ticks, [0, 20, 40, 60, 80]);
  assert.deepEqual(scaleTo(1500).ticks, [0, 500, 1000, 1500]);
  assert.deepEqual(scaleTo(8).ticks, [0, 2, 4, 6, 8]);
  assert.deepEqual(scaleTo(13).ticks, [0, 5, 10, 15]);
  for (let highest = 1; highest < 5000; highest = Math.ceil(highest * 1.13)) {
    const { ticks } = scaleTo(highest);
    assert.ok(ticks.length <= 7 && (ticks.at(-1) ?? 0) >= highest, String(highest));
  }
});

test("a value's place is a percentage of the axis", () => {
  const { position } = scaleTo(120);
  assert.deepEqual([0, 3, 60, 120].map(position), [0, 2.5, 50, 100]);
});

test("every month is busy, quiet or between", () => {
  const demand = demandByMonth(findFact("season-peak"), findFact("season-quiet"));
  assert.equal(demand.map((one) => one[0]).join(""), "qqppppppmmqq");
});
