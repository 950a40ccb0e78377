import assert from "node:assert/strict";
import { test } from "node:test";
import { alert, onward, progress } from "./support/questionnaire.ts";
import { holdStates, load } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";

/** Milliseconds, longer than any toast stays. */
const LONG_MS = 60_000;

const stage = useStage();

/** Opens a page with an error toast and stops the clock. */
async function withToast() {
  const { page } = await stage.visit();
  await page.clock.install();
  await page.goto("/fragebogen");
  await progress(page, 1).waitFor();
  await page.clock.pauseAt(Date.now() + LONG_MS);
  await onward(page).click();
  const toast = alert(page, "Bitte wählen Sie einen Gebäudetyp aus");
  await toast.waitFor();
  return { page, toast };
}

test("a toast disappears by itself, but not while the pointer is on it", async () => {
  const { page, toast } = await withToast();
  assert.match((await toast.textContent()) ?? "", /^Fehler: Bitte wählen Sie/, "not by its colour alone");
  await toast.hover();
  await page.clock.runFor(LONG_MS);
  assert.ok(await toast.isVisible());
  await page.mouse.move(1, 700);
  await page.clock.runFor(LONG_MS);
  await toast.waitFor({ state: "detached" });
});

test("a toast stays while it has the focus, and closing it returns the focus", async () => {
  const { page, toast } = await withToast();
  const first = page.getByRole("radio", { name: "Haus" });
  await first.and(page.locator(":focus")).waitFor();
  await toast.getByRole("button", { name: "Meldung schließen" }).focus();
  await toast.hover();
  await page.mouse.move(1, 700);
  await page.clock.runFor(LONG_MS);
  await page.keyboard.press("Escape");
  await toast.waitFor({ state: "detached" });
  await first.and(page.locator(":focus")).waitFor();
});

test("a message is announced once: no live region is inside another one", async () => {
  const { page } = await stage.visit();
  await load(page, "/cookie-einstellungen");
  assert.equal(await page.locator(".toaster [aria-live=polite]").count(), 1, "it is there before the first message");
  await page.getByRole("button", { name: "Einstellungen speichern" }).click();
  await page.getByRole("status").filter({ hasText: "Einstellungen gespeichert" }).waitFor();
  const live = ":is([aria-live], [role=status], [role=alert])";
  assert.equal(await page.locator(`${live} ${live}`).count(), 0);
});

for (const [what, viewport, text] of [
  ["at 400 % zoom", { width: 320, height: 256 }, "100%"],
  ["at twice the text size", { width: 1280, height: 720 }, "200%"],
] as const) {
  test(`${what} four toasts stay on the screen, the newest is visible, and each can be read and closed`, async () => {
    const { page } = await stage.visit({ viewport });
    await holdStates(page);
    await page.addInitScript((size) => {
      const toasts = [1, 2, 3, 4].map((number) => ({
        tone: number % 2 ? "info" : "error",
        title: `Meldung ${number}, deren Titel auf einem kleinen Bildschirm zwei Zeilen braucht`,
        description: "Und eine Erklärung dazu, die noch einmal so lang ist wie der Titel, der über ihr steht.",
      }));
      sessionStorage.setItem("toasts", JSON.stringify({ at: Date.now(), toasts }));
      document.addEventListener("DOMContentLoaded", () => {
        document.documentElement.style.fontSize = size;
      });
    }, text);
    await load(page, "/faq");
    const region = page.locator(".toaster");
    const toasts = region.locator(".toast");
    assert.equal(await toasts.count(), 4);
    const box = await region.boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= viewport.height, JSON.stringify(box));
    const isSeen = (index: number) =>
      toasts.nth(index).evaluate((toast) => {
        const { top, bottom } = toast.getBoundingClientRect();
        return Math.min(bottom, window.innerHeight) - Math.max(top, 0) > 30;
      });
    // Errors come first, so the newest of them is second.
    assert.ok((await isSeen(1)) || (await isSeen(3)), "the newest");
    for (const index of [0, 1, 2, 3]) {
      await toasts.nth(index).locator(".strong").scrollIntoViewIfNeeded();
      assert.ok(await isSeen(index), `the toast ${index + 1}`);
    }
    while ((await toasts.count()) > 0) await toasts.last().getByRole("button", { name: "Meldung schließen" }).click();
  });
}
