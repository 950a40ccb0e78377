import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { DESKTOP, openWithoutTime, PHONE } from "./support/browser.ts";
import { bannerHasRoom } from "./support/overlays.ts";
import { startOperatorSite } from "./support/operator.ts";
import { useStage } from "./support/stage.ts";

/** So small that the banner covers half of it. */
const SMALL_PHONE = { ...PHONE, viewport: { width: 320, height: 640 } };
const ARTICLE = "/blog/taubenabwehr-kosten-hamburg";
const CHAT = "https://chat.example/tauben";
const stage = useStage(startOperatorSite);
const without = useStage();
const button = (page: Page) => page.locator(".chat");
const inHeader = (page: Page) => page.getByRole("banner").getByRole("link", { name: "Chatten Sie jetzt mit uns" });
const pulse = (page: Page) => page.locator(".chat-pulse");

for (const [name, options, delay, period] of [
  ["phone", PHONE, 2_000, 47_000],
  ["desktop", DESKTOP, 2_500, 62_000],
] as const) {
  test(`on a ${name} the chat button appears after ${delay} ms and pulses every ${period} ms`, async () => {
    const { page, complaints } = await stage.visit(options);
    await openWithoutTime(page, "/");
    await page.clock.runFor(delay - 1);
    assert.equal(await button(page).count(), 0);
    await page.clock.runFor(1);
    await button(page).waitFor();
    await page.clock.runFor(period - 1);
    assert.equal(await pulse(page).count(), 0);
    await page.clock.runFor(1);
    await pulse(page).waitFor({ state: "attached" });
    await pulse(page).evaluate((element) => element.setAttribute("data-first", ""));
    await page.clock.runFor(period);
    await page.locator(".chat-pulse:not([data-first])").waitFor({ state: "attached" });
    assert.deepEqual(complaints, []);
  });
}

test("the chat button opens another site in a new tab and announces that", async () => {
  const { page } = await stage.visit();
  await openWithoutTime(page, "/faq");
  await page.clock.runFor(2_500);
  const link = page.getByRole("link", { name: "Chatten Sie jetzt mit uns", description: "Öffnet in einem neuen Tab" });
  assert.equal(await link.count(), 1);
  assert.equal(await link.getAttribute("href"), CHAT);
  assert.equal(await link.getAttribute("target"), "_blank");
  assert.equal(await link.getAttribute("rel"), "noopener");
});

test("on a phone the header also has a chat link, even without JavaScript", async () => {
  const { page } = await stage.visit({ ...PHONE, javaScriptEnabled: false });
  await page.goto("/");
  assert.equal(await inHeader(page).getAttribute("href"), CHAT);
  await page.setViewportSize({ width: 1440, height: 900 });
  assert.equal(await inHeader(page).count(), 0);
});

test("the chat button stays above the banner and out of the questionnaire's corner", async () => {
  const { page } = await stage.firstVisit(PHONE);
  await openWithoutTime(page, "/");
  await page.clock.runFor(2_000);
  await bannerHasRoom(page);
  const [chat, banner] = [await button(page).boundingBox(), await page.getByRole("dialog").boundingBox()];
  assert.ok((chat?.y ?? 0) + (chat?.height ?? 0) <= (banner?.y ?? 0));
  await page.goto("/fragebogen");
  await page.clock.runFor(2_000);
  await button(page).waitFor({ state: "hidden" });
  await inHeader(page).waitFor();
});

test("on a phone the chat button covers nothing that can be tapped, at any scroll position", async () => {
  for (const [size, path] of [
    ...["/", "/blog", "/faq", ARTICLE].map((path) => [PHONE, path] as const),
    ...["/", ARTICLE].map((path) => [SMALL_PHONE, path] as const),
  ]) {
    const hasBanner = size === SMALL_PHONE;
    const { page } = await (hasBanner ? stage.firstVisit(size) : stage.visit(size));
    await page.goto(path);
    if (hasBanner) await bannerHasRoom(page);
    await button(page).waitFor({ state: "attached" });
    let times = 0;
    for (let y = 0; y < 4_000; y += 130) {
      const found = await page.evaluate(async (y) => {
        window.scrollTo({ top: y, behavior: "instant" });
        let covered: Element | undefined;
        // The browser reports what the button covers only after it has painted the page.
        for (let frames = 0; frames < 100; frames += 1) {
          await new Promise(requestAnimationFrame);
          if (frames < 2) continue;
          const chat = document.querySelector(".chat");
          if (!chat?.checkVisibility({ visibilityProperty: true })) return "away";
          const { top, right, bottom, left } = chat.getBoundingClientRect();
          covered = [...document.querySelectorAll(":is(a, button, input, label, summary):not(.chat)")].find(
            (target) => {
              const box = target.getBoundingClientRect();
              const overlaps = box.left < right && box.right > left && box.top < bottom && box.bottom > top;
              // Closed questions also have boxes.
              return overlaps && target.checkVisibility();
            },
          );
          if (!covered) return "shown";
        }
        return `covers ${covered?.outerHTML.slice(0, 80)} at ${y} px`;
      }, y);
      if (found === "shown") times += 1;
      else assert.equal(found, "away", path);
    }
    assert.ok(times > 10, `on ${path} it is shown at ${times} places only`);
  }
});

test("without a chat link in the settings there is no button", async () => {
  const { page } = await without.visit(PHONE);
  await openWithoutTime(page, "/");
  await page.clock.runFor(120_000);
  assert.equal(await page.getByRole("link", { name: "Chatten Sie jetzt mit uns" }).count(), 0);
});
