import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { PHONE } from "./support/browser.ts";
import { withoutRepeats } from "./support/faults.ts";
import { startOperatorSite } from "./support/operator.ts";
import { everyKindOfPage, SAMPLES } from "./support/paths.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage(startOperatorSite);

const visitPlain = (options: BrowserContextOptions) => stage.visit({ ...options, javaScriptEnabled: false });

/**
 * Returns invisible texts, except for what opens without code (answers, the menu, the field for Sonstiges), text for
 * screen readers, and what the form shows only while it asks one question at a time.
 */
function hiddenTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      const text = walker.currentNode.textContent?.trim() ?? "";
      if (
        !element ||
        text === "" ||
        element.closest(
          "script, style, template, noscript, details, svg, [data-needs-script], [popover], [popovertarget], .thanks-countdown, .question-other, .questionnaire-alone",
        )
      )
        continue;
      const isSeen = element.checkVisibility({
        visibilityProperty: true,
        opacityProperty: true,
        contentVisibilityAuto: false,
      });
      if (!isSeen) found.push(text.slice(0, 60));
    }
    return found;
  });
}

/** Returns images that did not load or are hidden by a placeholder. */
function missingImages(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.images]
      .filter(
        (image) =>
          !image.complete ||
          image.naturalWidth === 0 ||
          !image.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
      )
      .map(({ src }) => src),
  );
}

test("without JavaScript all text and every image is visible", async () => {
  const { page } = await visitPlain(PHONE);
  const found: string[] = [];
  for (const path of await everyKindOfPage(stage.site.url)) {
    const hasPictures = SAMPLES.some((sample) => sample === path);
    // Without scripts nothing is lazy, so this would wait for every picture of a page.
    await page.goto(path, { waitUntil: hasPictures ? "load" : "domcontentloaded" });
    found.push(...(await hiddenTexts(page)).map((text) => `${path}: hides "${text}"`));
    if (hasPictures) found.push(...(await missingImages(page)).map((source) => `${path}: lacks ${source}`));
  }
  assert.deepEqual(withoutRepeats(found), []);
});

test("without JavaScript the menu's links work, and the answers of the FAQ open", async () => {
  const { page } = await visitPlain(PHONE);
  await page.goto("/faq");
  await page.locator("main summary").nth(1).click();
  assert.ok(await page.locator("main details").nth(1).locator("p").first().isVisible());
  for (const [link, url] of [
    ["Blog", "/blog"],
    ["Referenzen", "/#testimonials"],
  ] as const) {
    await page.getByRole("button", { name: "Menü öffnen" }).click();
    await page.locator("header").getByRole("link", { name: link }).click();
    await page.waitForURL(url);
  }
});

test("without JavaScript the questionnaire also names other ways to ask", async () => {
  const { page } = await visitPlain(PHONE);
  await page.goto("/fragebogen?propertyType=commercial-restaurant&step=1");
  const main = page.getByRole("main");
  for (const address of ["tel:+4940123456789", "mailto:kontakt@example.com"]) {
    assert.ok(await main.locator(`a[href="${address}"]`).first().isVisible(), address);
  }
  const text = await main.evaluate((element) => (element as HTMLElement).innerText);
  assert.ok(await main.getByLabel("Gastronomie").isChecked(), "the tile is chosen");
  assert.match(text, /direkt telefonisch unter \+49 40 123456789 oder per E-Mail an kontakt@example\.com\./);
  assert.equal(await main.getByText("wird geladen").filter({ visible: true }).count(), 0, "nothing is being loaded");
});

test("without JavaScript the cookie settings offer no choice and say what applies", async () => {
  const { page } = await visitPlain(PHONE);
  await page.goto("/cookie-einstellungen");
  const main = page.getByRole("main");
  assert.equal(await main.locator("button, input").filter({ visible: true }).count(), 0);
  const text = await main.evaluate((element) => (element as HTMLElement).innerText);
  assert.match(text, /Für eine Auswahl braucht diese Seite JavaScript\./);
  assert.match(text, /lädt nichts von Dritten/);
});
