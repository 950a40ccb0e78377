import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { DESKTOP, openWithoutTime } from "./support/browser.ts";
import { holdBack } from "./support/deferred.ts";
import { heading, progress } from "./support/questionnaire.ts";
import { useStage } from "./support/stage.ts";
import { load, reload, started } from "./support/settled.ts";

const stage = useStage();

const top = (page: Page) => page.evaluate(() => window.scrollY);
const scrollTo = async (page: Page, top: number) => {
  await page.evaluate((top) => window.scrollTo(0, top), top);
  await stands(page, top);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve))); // the page has handled the event
};
const stands = (page: Page, top: number) => page.waitForFunction((top) => window.scrollY === top, top);
const sectionIs = (page: Page, id: string, top: number) =>
  page.waitForFunction(
    ([id, top]) => Math.abs((document.getElementById(id)?.getBoundingClientRect().top ?? 1e6) - top) < 5,
    [id, top] as const,
  );
/** Follows a link without scrolling to it, as a click would. */
const follow = (page: Page, name: string) =>
  page.getByRole("contentinfo").getByRole("link", { name }).dispatchEvent("click");

test("new pages start at the top; back, forward and reload restore the position", async () => {
  const { page, complaints } = await stage.visit(DESKTOP);
  await load(page, "/blog");
  await scrollTo(page, 600);
  await follow(page, "FAQ");
  await heading(page, "Häufige Fragen").waitFor();
  await stands(page, 0);
  await scrollTo(page, 120);
  await page.goBack();
  await heading(page, "Ratgeber Taubenabwehr").waitFor();
  await stands(page, 600);
  await page.goForward();
  await heading(page, "Häufige Fragen").waitFor();
  await stands(page, 120);
  await reload(page);
  await stands(page, 120);
  await page.goBack(); // back to a page that must be fetched again
  await heading(page, "Ratgeber Taubenabwehr").waitFor();
  await stands(page, 600);
  assert.deepEqual(complaints, []);
});

test("a new query starts at the top, and so does going back", async () => {
  const { page } = await stage.visit({ viewport: { width: 390, height: 300 } });
  await load(page, "/fragebogen?step=1");
  await page.getByLabel("Postleitzahl").fill("20095");
  await page.getByRole("button", { name: "Weiter" }).click();
  await progress(page, 3).waitFor();
  await scrollTo(page, 90);
  await page.goBack();
  await page.waitForURL(/step=1/);
  await stands(page, 0);
});

test("a hash on load is scrolled to after 500 ms, 100 px below the top, unless it is invalid", async () => {
  const { page, complaints } = await stage.visit();
  await openWithoutTime(page, "/#about-us");
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.clock.runFor(499);
  assert.equal(await top(page), 0);
  await page.clock.runFor(1);
  await sectionIs(page, "about-us", 100);
  await openWithoutTime(page, "/faq#%zz");
  await page.clock.runFor(1_000);
  assert.equal(await top(page), 0);
  assert.deepEqual(complaints, []);
});

test("the header's links scroll smoothly on the home page, and after 300 ms from another page", async () => {
  const { page } = await stage.visit({ reducedMotion: "no-preference" });
  const link = (name: string) => page.getByRole("navigation", { name: "Hauptmenü" }).getByRole("link", { name });
  await openWithoutTime(page, "/faq");
  await link("Referenzen").click();
  await heading(page, "Wo haben Sie ein Taubenproblem?").waitFor();
  await started(page);
  await page.clock.runFor(299);
  assert.equal(await top(page), 0);
  await page.clock.runFor(1);
  await sectionIs(page, "testimonials", 100);
  const entries = await page.evaluate(() => history.length);
  for (const _ of [1, 2, 3]) await link("Leistungen").click();
  await sectionIs(page, "services", 100);
  assert.equal(await page.evaluate(() => history.length), entries + 1, "the same link again is no new place");
  await page.keyboard.press("Tab");
  await page.locator("#services a:focus").waitFor();
});

test("a link to a section does not scroll once the visitor has begun to do something else", async () => {
  const { page } = await stage.visit();
  await openWithoutTime(page, "/#about-us");
  await page.keyboard.press("Tab");
  await page.locator(".skip-link:focus").waitFor();
  await page.clock.runFor(1_000);
  await page.locator(".skip-link:focus").waitFor();
  assert.equal(await top(page), 0);
  assert.equal(new URL(page.url()).hash, "#about-us");
});

test("a script that loads late steals no focus and loses no letter", async () => {
  const { page } = await stage.visit();
  const release = await holdBack(page, "**/assets/app.*.js");
  await page.clock.install();
  await page.goto("/blog#newsletter", { waitUntil: "commit" });
  const field = page.getByLabel("E-Mail-Adresse");
  await field.pressSequentially("anna.muster");
  release();
  await started(page);
  await field.pressSequentially("@example.de");
  await page.clock.fastForward(600); // longer than the script waits
  assert.equal(await field.inputValue(), "anna.muster@example.de");
  await field.and(page.locator(":focus")).waitFor();
});

test("pages fade into each other unless the visitor prefers reduced motion", async () => {
  for (const reducedMotion of ["no-preference", "reduce"] as const) {
    const { page } = await stage.visit({ ...DESKTOP, reducedMotion });
    await page.addInitScript(() => {
      const reveals = Object.assign(window, { reveals: [] as Promise<number>[] }).reveals;
      window.addEventListener("pagereveal", ({ viewTransition }) => {
        if (viewTransition) reveals.push(viewTransition.ready.then(() => document.getAnimations().length));
      });
    });
    await load(page, "/faq");
    await follow(page, "Blog");
    await heading(page, "Ratgeber Taubenabwehr").waitFor();
    const fades = await page.evaluate(() => Promise.all((window as unknown as { reveals: Promise<number>[] }).reveals));
    assert.equal(fades.length, reducedMotion === "reduce" ? 0 : 1);
    assert.ok(fades.every((animations) => animations > 0));
  }
});

test("anchors clear the header at twice the text size, whether after a click or when the browser scrolls", async () => {
  for (const width of [320, 1440]) {
    const { page } = await stage.visit({ viewport: { width, height: 900 } });
    const clears = async (id: string, how: string) => {
      const room = await page.evaluate((id) => {
        const header = document.querySelector(".header")?.getBoundingClientRect().bottom ?? Number.NaN;
        const top = document.getElementById(id)?.getBoundingClientRect().top ?? Number.NaN;
        return { header, top };
      }, id);
      assert.ok(
        room.top >= room.header && room.top <= room.header + 100,
        `${how}: ${JSON.stringify({ width, ...room })}`,
      );
    };
    await page.addInitScript(() => {
      document.addEventListener("DOMContentLoaded", () => {
        document.documentElement.style.fontSize = "200%";
      });
    });
    await load(page, "/");
    await page.getByRole("contentinfo").getByRole("link", { name: "Leistungen" }).dispatchEvent("click");
    await page.waitForURL("/#services");
    await clears("services", "a click");
    await page.evaluate(() => document.getElementById("about-us")?.scrollIntoView({ behavior: "instant" }));
    await clears("about-us", "the browser");
  }
});
