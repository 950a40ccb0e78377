import assert from "node:assert/strict";
import type { Key } from "./support/driver.ts";
import type { Target } from "./support/in-page.ts";
import { arrivesAt, fillContact, ONWARD, reaches, SEND } from "./support/questionnaire.ts";
import { DESKTOP, PHONE, useEngines } from "./support/stage.ts";

const test = useEngines();

const SKIP_LINK: Target = { role: "link", name: "Zum Inhalt springen" };
const HOUSE: Target = { role: "radio", name: "Haus" };
const MENU: Target = { role: "button", name: "Menü öffnen" };

test("an error takes the focus to the field, and stands in the title and in a message", PHONE, async (visitor) => {
  await visitor.open("/fragebogen");
  await arrivesAt(visitor, 1);
  await visitor.click(ONWARD);
  await visitor.sees({ role: "alert", name: "Fehler: Bitte wählen Sie einen Gebäudetyp aus" });
  await visitor.finds(HOUSE, { isFocused: true });
  assert.match(await visitor.title(), /^Fehler: /);

  await visitor.click(HOUSE);
  await reaches(visitor, 2);
  assert.doesNotMatch(await visitor.title(), /^Fehler: /);
  await visitor.fill("Postleitzahl", "10115");
  await visitor.click(ONWARD);
  await visitor.sees({ role: "alert", name: "Fehler: Bitte geben Sie eine gültige Hamburger Postleitzahl ein" });
  await visitor.finds({ role: "textbox", name: "Postleitzahl" }, { isFocused: true, isInvalid: true });
  await visitor.leavesQuietly();
});

test("a message stays where the browser scrolls its field out from under it", PHONE, async (visitor) => {
  await visitor.open("/fragebogen");
  await arrivesAt(visitor, 1);
  // The error above the first field moves it down to where the message is.
  const top = await visitor.evaluate(
    () => document.querySelector("main input[type=radio]")?.getBoundingClientRect().top,
  );
  await visitor.scrollTo(Math.round((top ?? 0) - 35));
  await visitor.evaluate(() =>
    [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Weiter")?.click(),
  );
  await visitor.finds(HOUSE, { isFocused: true });
  await visitor.meets("a field below its message", () => {
    const bottom = document.querySelector(".toast")?.getBoundingClientRect().bottom ?? Number.NaN;
    return (document.activeElement?.getBoundingClientRect().top ?? 0) >= bottom;
  });
  // It goes, if it does, with the next frame.
  await visitor.evaluate(() => {
    requestAnimationFrame(() => requestAnimationFrame(() => Object.assign(window, { isShown: true })));
  });
  await visitor.meets("two more frames", () => "isShown" in window);
  await visitor.sees({ role: "alert", name: "Fehler: Bitte wählen Sie einen Gebäudetyp aus" });
});

test("Enter sends from any field, and leads back to the first wrong answer", DESKTOP, async (visitor) => {
  await visitor.open("/fragebogen?propertyType=industrial&step=4");
  await arrivesAt(visitor, 5);
  await fillContact(visitor, { "E-Mail-Adresse": "aenne@example" });
  await visitor.press("Enter");
  await arrivesAt(visitor, 2);
  await visitor.sees({ role: "alert", name: "Fehler: Bitte geben Sie eine gültige Hamburger Postleitzahl ein" });
  await visitor.finds({ role: "textbox", name: "Postleitzahl" }, { isFocused: true, isInvalid: true });
  await visitor.fill("Postleitzahl", "22765");
  await visitor.back("/fragebogen?propertyType=industrial&step=4");
  await arrivesAt(visitor, 5);
  await visitor.click(SEND);
  await visitor.finds({ role: "textbox", name: "E-Mail-Adresse" }, { isFocused: true, isInvalid: true });
  await visitor.leavesQuietly();
});

for (const key of ["Space", "Enter"] satisfies Key[]) {
  test(`${key} chooses a building and goes on, and an arrow only moves the choice`, DESKTOP, async (visitor) => {
    await visitor.open("/fragebogen");
    await arrivesAt(visitor, 1);
    await visitor.evaluate(() => document.querySelector<HTMLElement>("main input[type=radio]")?.focus());
    const before = await visitor.evaluate(() => history.length);
    await visitor.press("ArrowDown");
    await visitor.meets(
      "the second choice",
      () => document.querySelectorAll<HTMLInputElement>("main input[type=radio]")[1]?.checked === true,
    );
    await visitor.press(key);
    await reaches(visitor, 2);
    assert.equal(await visitor.evaluate(() => history.length), before + 1, "the arrow has not gone on, too");
  });
}

test("Tab begins each page at the skip link, which leads past the header", DESKTOP, async (visitor) => {
  await visitor.open("/faq");
  await visitor.click({ role: "link", name: "Blog", inside: "footer" });
  await visitor.isAt("/blog");
  await visitor.press("Tab");
  await visitor.finds(SKIP_LINK, { isFocused: true });
  await visitor.press("Enter");
  await visitor.meets("the focus in the main part", () => document.activeElement?.tagName === "MAIN");
  await visitor.press("Tab");
  await visitor.meets("the next focus in the main part", () => document.activeElement?.closest("main") !== null);
});

test("Escape closes the menu and returns the focus to its button", PHONE, async (visitor) => {
  await visitor.open("/faq");
  await visitor.click(MENU);
  await visitor.sees({ role: "link", name: "Leistungen", inside: "header" });
  await visitor.press("Escape");
  await visitor.finds(MENU, { isFocused: true });
  await visitor.misses({ role: "link", name: "Leistungen", inside: "header" });
  await visitor.click(MENU);
  await visitor.click({ role: "link", name: "Blog", inside: "header" });
  await visitor.isAt("/blog");
  await visitor.sees(MENU);
  await visitor.back("/faq");
  await visitor.sees(MENU);
  await visitor.misses({ role: "link", name: "Leistungen", inside: "header" });
  await visitor.leavesQuietly();
});
