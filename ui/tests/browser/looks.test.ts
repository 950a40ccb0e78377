import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { DESKTOP, PHONE } from "./support/browser.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

const ARTICLES = [
  "/blog/taubenspikes-testsieger",
  "/blog/ultraschall-taubenabwehr",
  "/blog/taubenabwehr-balkon-hamburg",
];

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
  "no line floats along the upper edge of a drawing": [
    "main .figure svg path",
    (path) => {
      const { y, width } = path.getBBox();
      const isWide = width >= (path.ownerSVGElement?.viewBox.baseVal.width ?? 0);
      return isWide && Math.abs(y) < 1 && getComputedStyle(path).stroke !== "none";
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
      for (const path of ARTICLES) {
        const { page } = await stage.visit(size);
        await page.goto(path);
        looks.push(...(await page.evaluate<unknown[]>(`[...document.querySelectorAll("${marks}")].map(${isWrong})`)));
      }
    assert.ok(looks.length > 0 && !looks.includes(true), `${looks}`);
  });

test("the sign of a link that leads away is an arrow with a shaft", async () => {
  const { page } = await stage.visit({ ...DESKTOP, deviceScaleFactor: 4 });
  await page.goto("/blog/tauben-vergraemen-hamburg");
  const link = page.locator(".outward-link").filter({ visible: true }).first();
  const em = 4 * (await link.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize)));
  const image = sharp(await link.screenshot())
    .greyscale()
    .raw();
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  const shade = (right: number, top: number) =>
    data[info.width * Math.round(top * em) + info.width - Math.round(right * em)] ?? 0;
  const [shaft, paper] = [shade(0.4, 0.78), shade(0.2, 0.78)];
  assert.ok(paper - shaft > 80, `${shaft} on ${paper}`);
});
