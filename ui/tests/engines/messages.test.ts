import assert from "node:assert/strict";
import type { Target } from "./support/in-page.ts";
import { DESKTOP, PHONE, useEngines } from "./support/stage.ts";

const test = useEngines();

const REJECT: Target = { role: "button", name: "Ablehnen", inside: "[role=dialog]" };
const SAVED: Target = { role: "status", name: "Einstellungen gespeichert" };

test("the banner asks a new visitor, keeps the answer, and asks no more", PHONE, async (visitor) => {
  await visitor.open("/");
  await visitor.click({ role: "button", name: "Schließen", inside: "[role=dialog]" });
  await visitor.misses(REJECT);
  await visitor.open("/faq");
  await visitor.click(REJECT);
  await visitor.misses(REJECT);
  assert.equal(await visitor.evaluate(() => localStorage.getItem("cookieConsent")), "rejected");
  await visitor.open("/blog");
  await visitor.meets(
    "the time that the banner takes to appear, and as long again",
    () => performance.now() > 2 * 1_500,
  );
  assert.equal(await visitor.look(REJECT), null);
  await visitor.leavesQuietly();
});

test(
  "a page that the banner was answered on stays without it when the visitor comes back",
  DESKTOP,
  async (visitor) => {
    await visitor.open("/faq");
    await visitor.sees(REJECT);
    await visitor.click({ role: "link", name: "Blog", inside: "footer" });
    await visitor.isAt("/blog");
    await visitor.click(REJECT);
    await visitor.misses(REJECT);
    await visitor.back("/faq");
    await visitor.misses(REJECT);
  },
);

test("a message follows the visitor to the next page, and goes when it is closed", DESKTOP, async (visitor) => {
  await visitor.open("/cookie-einstellungen");
  await visitor.click({ role: "button", name: "Einstellungen speichern" });
  await visitor.sees(SAVED);
  await visitor.click({ role: "link", name: "FAQ", inside: "footer" });
  await visitor.isAt("/faq");
  await visitor.sees(SAVED);
  await visitor.click({ role: "button", name: "Meldung schließen" });
  await visitor.misses(SAVED);
  await visitor.leavesQuietly();
});
