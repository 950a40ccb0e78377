import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { useStage } from "./support/stage.ts";

const stage = useStage();

test("no figure about the firm runs into the one beside it", async () => {
  const { context, page } = await stage.visit();
  await page.goto("/");
  for (const width of [320, 390, 768, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const wide = await page.locator("#about-us dd").evaluateAll((values) =>
      values.flatMap((value) => {
        const text = document.createRange();
        text.selectNodeContents(value);
        const isWide = text.getBoundingClientRect().right > value.getBoundingClientRect().right + 1;
        return isWide ? [value.textContent] : [];
      }),
    );
    assert.deepEqual(wide, [], `${width} px`);
  }
  await context.close();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the map has the colours of its legend, ${colorScheme}`, async () => {
    const { context, page } = await stage.visit({ colorScheme });
    await page.goto("/");
    const map = page.locator("svg.map").first();
    await map.scrollIntoViewIfNeeded();
    await page.waitForLoadState("networkidle");
    const { width = 0, height = 0 } = (await map.boundingBox()) ?? {};
    const { data, info } = await sharp(await map.screenshot())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    // In Wandsbek, far from names and borders; the drawing is 640 units wide.
    const [x, y] = [Math.round((450 / 640) * width), Math.round((100 / 604) * height)];
    const pixel = [...data.subarray((y * info.width + x) * 3).subarray(0, 3)];
    const tone = await map.evaluate((element) => getComputedStyle(element).getPropertyValue("--draw-sky"));
    assert.equal(`#${pixel.map((part) => part.toString(16).padStart(2, "0")).join("")}`, tone);
    await context.close();
  });
}

test("no line of the hero's promises is torn at any width", async () => {
  const { context, page } = await stage.visit();
  await page.goto("/");
  for (const width of [320, 390, 600, 768, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const torn = await page.locator(".hero-promises li").evaluateAll((lines) =>
      lines.flatMap((line) => {
        const start = line.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(line).paddingInlineStart);
        const space = Number.parseFloat(getComputedStyle(line).fontSize);
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        const words: DOMRect[] = [];
        while (walker.nextNode()) {
          for (const { index, 0: word } of (walker.currentNode.textContent ?? "").matchAll(/\S+/g)) {
            const range = document.createRange();
            range.setStart(walker.currentNode, index);
            range.setEnd(walker.currentNode, index + word.length);
            words.push(...range.getClientRects());
          }
        }
        const isTorn = words.some(({ left, top, bottom }, index) => {
          const before = words[index - 1];
          const isSameLine = before && top < before.bottom && bottom > before.top;
          return isSameLine ? left - before.right > space : Math.abs(left - start) > 2;
        });
        return isTorn || words.length === 0 ? [line.textContent] : [];
      }),
    );
    assert.deepEqual(torn, [], `${width} px`);
  }
  await context.close();
});
