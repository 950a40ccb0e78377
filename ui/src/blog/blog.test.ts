import assert from "node:assert/strict";
import { test } from "node:test";
import { articles, relatedArticles } from "./articles.ts";
import { categoryPath, categorySlug, categoryText } from "./categories.ts";
import { germanLongDate } from "../prose/facts/format.ts";
import { readingMinutes } from "./reading-time.tsx";

const [first = assert.fail("no articles")] = articles;

test("reading time is words by 225, rounded up, at least a minute", () => {
  assert.deepEqual([0, 1, 225, 226, 450, 451].map(readingMinutes), [1, 1, 1, 2, 2, 3]);
});

test("dates read as Germans write them", () => {
  assert.equal(germanLongDate("2025-03-13"), "13. März 2025");
  assert.equal(germanLongDate("2025-04-01"), "1. April 2025");
});

test("a category's slug is lower case with hyphens and keeps its umlauts", () => {
  assert.equal(categorySlug("Schädlingsbekämpfung"), "schädlingsbekämpfung");
  assert.equal(categorySlug("Dach und First"), "dach-und-first");
  assert.equal(categoryPath("schädlingsbekämpfung"), "/blog/kategorie/sch%C3%A4dlingsbek%C3%A4mpfung");
});

test("a category's texts follow the keywords in its name", () => {
  assert.match(categoryText("Balkon").heading, /Balkon/);
  assert.match(categoryText("Kosten").heading, /kostet/);
  assert.match(categoryText("Taubennetze").heading, /Vergleich/);
  assert.match(categoryText("Service").heading, /Service/);
});

test("what shares most is related most, the newest among equals", () => {
  const named = (id: string, categories: string[], tags: string[]) => ({ ...first, id, categories, tags });
  const all = [
    named("spikes", ["Kosten"], ["Spikes"]),
    named("one", ["Kosten"], []),
    named("none", ["Recht"], ["Miete"]),
    named("twice", ["Spikes"], ["Kosten"]),
    named("same-name", ["Kosten"], ["Kosten"]),
    named("late", ["Kosten"], []),
  ];
  assert.deepEqual(
    relatedArticles(all[0] ?? first, all).map(({ id }) => id),
    ["twice", "one", "same-name"],
  );
});
