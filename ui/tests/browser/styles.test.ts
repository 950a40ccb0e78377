import assert from "node:assert/strict";
import { test } from "node:test";
import { fillTemplates, showPrivatePage } from "./support/filled-templates.ts";
import { missingRules } from "./support/rules.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

test("every private page has the rules of everything that is on it", async () => {
  const { page, context } = await stage.visit();
  for (const [name, html] of Object.entries((await fillTemplates()).pages)) {
    await showPrivatePage(page, name, html);
    assert.deepEqual(await missingRules(page), [], name);
  }
  await context.close();
});

test("letters that the fonts lack come from another font, the rest does not", async () => {
  const { page, context } = await stage.visit();
  // The first page may be shown before its fonts are there.
  await page.goto("/faq");
  await page.evaluate(() => document.fonts.ready);
  await page.goto("/faq");
  await page.evaluate(async () => {
    const text = document.createElement("p");
    text.id = "name";
    text.textContent = "WęsaЖ";
    document.querySelector("main")?.prepend(text);
    // The letters beyond Western Europe are in a file of their own, which is asked for now.
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(text);
    await document.fonts.load(`${fontWeight} ${fontSize} ${fontFamily}`, text.textContent).catch(() => undefined);
    await document.fonts.ready;
  });
  const session = await context.newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root } = await session.send("DOM.getDocument");
  const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector: "#name" });
  const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
  const glyphs = (isOwn: boolean) =>
    fonts.filter((font) => font.isCustomFont === isOwn).reduce((sum, { glyphCount }) => sum + glyphCount, 0);
  assert.deepEqual([glyphs(true), glyphs(false)], [4, 1]);
  await context.close();
});
