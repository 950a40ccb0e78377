import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { PHONE } from "./support/browser.ts";
import { banner, chat } from "./support/overlays.ts";
import { startOperatorSite } from "./support/operator.ts";
import { answerAll, sendOff } from "./support/questionnaire.ts";
import { load, started } from "./support/settled.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage(startOperatorSite);

/** Opens the home page, and fails unless its enhancements work: the first, the last and some in between. */
async function worksOn(page: Page): Promise<void> {
  await page.goto("/");
  await started(page);
  await page.getByRole("button", { name: "Menü öffnen" }).click();
  await page.getByRole("button", { name: "Menü schließen" }).click();
  await banner(page).waitFor();
  await chat(page).waitFor();
  await page.getByRole("contentinfo").getByRole("link", { name: "Leistungen" }).click();
  await page.waitForURL("/#services");
}

test("an enhancement that fails is logged once and stops no others", async () => {
  const { page, complaints } = await stage.firstVisit(PHONE);
  await page.addInitScript(() => {
    const children = Object.getOwnPropertyDescriptor(Element.prototype, "children");
    Object.defineProperty(Element.prototype, "children", {
      get(this: Element) {
        if (this.matches(".carousel-track")) throw new Error("The carousel is broken.");
        return children?.get?.call(this);
      },
    });
  });
  await worksOn(page);
  assert.equal(await page.getByRole("button", { name: "Nächste Referenz" }).count(), 0);
  assert.equal(complaints.filter((line) => line.includes("The carousel is broken.")).length, 1, complaints.join("\n"));
  assert.equal(complaints.length, 1);
});

for (const [what, breakStorage] of [
  [
    "is switched off",
    () => {
      for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException("switched off", "SecurityError");
          },
        });
    },
  ],
  [
    "is full",
    () => {
      Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    },
  ],
] as const) {
  test(`everything works where the storage ${what}`, async () => {
    const { page, complaints } = await stage.firstVisit(PHONE);
    await page.addInitScript(breakStorage);
    await worksOn(page);
    await answerAll(page);
    await sendOff(page);
    await page.getByText("Referenznummer").waitFor();
    await load(page, "/cookie-einstellungen");
    await page.getByRole("switch", { name: "Marketing" }).check();
    await page.getByRole("button", { name: "Einstellungen speichern" }).click();
    await page.getByRole("status").filter({ hasText: "Einstellungen gespeichert" }).waitFor();
    const others = complaints.filter((line) => !line.includes("The cookie settings cannot be"));
    assert.deepEqual(others, []);
  });
}
