import assert from "node:assert/strict";
import { test } from "node:test";
import { DESKTOP, PHONE } from "./support/browser.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

/** Marks that look wrong while everything works. Each returns what is wrong on an article. */
const MARKS: Readonly<Record<string, () => unknown[]>> = {
  "a first heading has no line below that of the contents": () =>
    [...document.querySelectorAll(".reading-text > .prose > h2:first-child")].filter(
      (heading) => getComputedStyle(heading).borderBlockStartWidth !== "0px",
    ),
  "a wide drawing has its caption below, without a void": () =>
    [...document.querySelectorAll(".figure[data-wide]")].filter(({ children: [drawing, caption] }) => {
      const gap = (caption?.getBoundingClientRect().top ?? 0) - (drawing?.getBoundingClientRect().bottom ?? 0);
      return gap < 0 || gap > 20;
    }),
  "no word in a drawing straddles the edge of a zone": () =>
    [...document.querySelectorAll<SVGPathElement>("main .figure path[fill*=water]")].flatMap((water) => {
      const zone = water.getBBox();
      return [...(water.ownerSVGElement?.querySelectorAll("text") ?? [])].filter((word) => {
        const { x, y, width, height } = word.getBBox();
        return x < zone.x && x + width > zone.x && y < zone.y + zone.height && y + height > zone.y;
      });
    }),
};

for (const path of ["/blog/taubenspikes-testsieger", "/blog/ultraschall-taubenabwehr"]) {
  test(`the marks on ${path} are drawn as they are meant`, async () => {
    for (const size of [PHONE, DESKTOP]) {
      const { page } = await stage.visit(size);
      await page.goto(path);
      for (const [mark, wrong] of Object.entries(MARKS)) {
        assert.equal(await page.evaluate(`(${wrong})().length`), 0, `${mark}, at ${size.viewport?.width} px`);
      }
    }
  });
}
