import assert from "node:assert/strict";
import { test } from "node:test";
import { useStage } from "./support/stage.ts";

const stage = useStage();

test("names in letters of Latin Extended-A are in the site's fonts, and only what these lack is not", async () => {
  const { page, context } = await stage.visit();
  // Sources name people and places in Poland: what a page says itself is in no other file than what visitors enter.
  await page.goto("/blog/tauben-vergraemen-hamburg");
  await page.evaluate(() => document.fonts.ready);
  const session = await context.newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  for (const element of ["p", "h1"]) {
    const id = `name-${element}`;
    await page.evaluate(
      async ([element, id]) => {
        const text = document.createElement(element);
        text.id = id;
        text.textContent = "WłęńżśćąźőšřčğşığțĽЖ";
        document.querySelector("main")?.prepend(text);
        // The letters beyond Western Europe are in a file of their own, which is asked for now.
        const { fontWeight, fontSize, fontFamily } = getComputedStyle(text);
        await document.fonts.load(`${fontWeight} ${fontSize} ${fontFamily}`, text.textContent).catch(() => undefined);
        await document.fonts.ready;
      },
      [element, id] as const,
    );
    const { root } = await session.send("DOM.getDocument");
    const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector: `#${id}` });
    const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
    const glyphs = (isOwn: boolean) =>
      fonts.filter((font) => font.isCustomFont === isOwn).reduce((sum, { glyphCount }) => sum + glyphCount, 0);
    assert.deepEqual([glyphs(true), glyphs(false)], [19, 1], element);
  }
  await context.close();
});
