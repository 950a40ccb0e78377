import assert from "node:assert/strict";
import { test } from "node:test";
import { articles, relatedArticles } from "./articles.ts";
import { categoryText } from "./categories.ts";
import { readingMinutes } from "./reading-time.tsx";

const [first = assert.fail("no articles")] = articles;

test("reading time is the number of words divided by 225, rounded up", () => {
  assert.deepEqual([0, 1, 225, 226, 450, 451].map(readingMinutes), [1, 1, 1, 2, 2, 3]);
});

test("a category's texts follow the keywords in its name", () => {
  assert.match(categoryText("Balkon").heading, /Balkon/);
  assert.match(categoryText("Kosten").heading, /kostet/);
  assert.match(categoryText("Taubennetze").heading, /Vergleich/);
  assert.match(categoryText("Service").heading, /Service/);
});

test("the articles with the most in common come first, the newest among equals", () => {
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
