import assert from "node:assert/strict";
import { test } from "node:test";
import { fitting } from "./photo-shrink.ts";

test("a photo is scaled down, but never up, and never to nothing", () => {
  assert.deepEqual(fitting(8000, 6000), { width: 1600, height: 1200 });
  assert.deepEqual(fitting(3000, 4000), { width: 1200, height: 1600 });
  assert.deepEqual(fitting(800, 600), { width: 800, height: 600 });
  assert.deepEqual(fitting(20000, 1), { width: 1600, height: 1 });
});
