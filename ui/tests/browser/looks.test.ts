import assert from "node:assert/strict";
import { test } from "node:test";
import { DESKTOP, PHONE } from "./support/browser.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

/** Marks that can look wrong while everything works: where they are, and what is wrong with one. */
const MARKS: Readonly<Record<string, readonly [string, (mark: SVGPathElement) => boolean]>> = {
  "a first heading has no line below that of the contents": [
    ".reading-text > .prose > h2:first-child",
    (heading) => getComputedStyle(heading).borderBlockStartWidth !== "0px",
  ],
  "a wide drawing has its caption below, without a void": [
    ".figure[data-wide]",
    ({ children: [drawing, caption] }) => {
      const gap = (caption?.getBoundingClientRect().top ?? 0) - (drawing?.getBoundingClientRect().bottom ?? 0);
      return gap < 0 || gap > 20;
    },
  ],
  "no word in a drawing straddles the edge of a zone": [
    "main .figure path[fill*=water]",
    (water) => {
      const zone = water.getBBox();
      return [...(water.ownerSVGElement?.querySelectorAll("text") ?? [])].some((word) => {
        const { x, y, width, height } = word.getBBox();
        return x < zone.x && x + width > zone.x && y < zone.y + zone.height && y + height > zone.y;
      });
    },
  ],
};

for (const [what, [marks, isWrong]] of Object.entries(MARKS))
  test(what, async () => {
    const looks: unknown[] = [];
    for (const size of [PHONE, DESKTOP])
      for (const path of ["/blog/taubenspikes-testsieger", "/blog/ultraschall-taubenabwehr"]) {
        const { page } = await stage.visit(size);
        await page.goto(path);
        looks.push(...(await page.evaluate<unknown[]>(`[...document.querySelectorAll("${marks}")].map(${isWrong})`)));
      }
    assert.ok(looks.length > 0 && !looks.includes(true), `${looks}`);
  });
