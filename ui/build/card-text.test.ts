import assert from "node:assert/strict";
import { test } from "node:test";

import { setTitle } from "./card-text.ts";

const BOX = { x: 0, y: 100, width: 490, height: 378 };

/** Every letter half as wide as high. */
const lines = (title: string) => setTitle(title, BOX, (text) => text.length / 2);

test("what follows a colon or a question mark is set smaller", () => {
  assert.deepEqual(
    lines("Kosten: Ein Überblick").map(({ text, weight }) => [text, weight]),
    [
      ["Kosten", 600],
      ["Ein Überblick", 400],
    ],
  );
  assert.deepEqual(
    lines("Wer zahlt? Wir").map(({ text }) => text),
    ["Wer zahlt?", "Wir"],
  );
  assert.deepEqual(
    lines("Wer zahlt?").map(({ text }) => text),
    ["Wer zahlt?"],
  );
});

test("a title breaks between words and at hyphens, and stands in the middle of its box", () => {
  const [first, second] = lines("Taubenabwehr-Dienst");
  assert.deepEqual([first?.text, second?.text], ["Taubenabwehr-", "Dienst"]);
  assert.ok(first && second && second.y > first.y);
  const middle = (first.y - first.size + second.y) / 2;
  assert.ok(Math.abs(middle - (BOX.y + BOX.height / 2)) < first.size / 4, String(middle));
});

test("a long word makes the title smaller, one that fits nowhere ends the build", () => {
  const [long] = lines("Schädlingsbekämpfung");
  assert.ok(long && long.size * 10 <= BOX.width && long.size >= 45);
  assert.throws(() => lines("x".repeat(80)), /does not fit on its card/);
});
