import assert from "node:assert/strict";
import { test } from "node:test";
import { withAttributes } from "./sprite.ts";

const DRAWINGS = `.drawing { fill: none } .drawing .brick { fill: var(--brick) } .drawing .thin { stroke-width: 1.25 }
@media (prefers-color-scheme: dark) { :root { --brick: #000 } }`;
const MAP = ".map-shape, .map-border { stroke: var(--line) } .map-hatch { opacity: 0.3 } ul.map-legend { gap: 1px }";
const convert = (svg: string) => withAttributes(svg, [DRAWINGS, MAP]);

test("classes become the attributes that their rules set", () => {
  assert.equal(convert('<path class="brick" d="M0 0"/>'), '<path fill="var(--brick)" d="M0 0"/>');
  assert.equal(convert('<path class="map-border"/>'), '<path stroke="var(--line)"/>');
  assert.equal(convert('<path class="map-hatch map-shape"/>'), '<path stroke="var(--line)" opacity=".3"/>');
});

test("pages can say how thin thin lines are", () => {
  assert.equal(convert('<path class="thin"/>'), '<path stroke-width="var(--draw-thin,1.25px)"/>');
});

test("what no variable of a page reaches is refused", () => {
  const pattern = '<pattern id="p"><rect class="brick"/></pattern><path fill="url(#p)"/>';
  assert.throws(() => convert(pattern), { message: /holds <pattern>, which would be black/ });
});
