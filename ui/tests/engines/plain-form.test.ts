import assert from "node:assert/strict";
import type { Target } from "./support/in-page.ts";
import { fillContact, SEND } from "./support/questionnaire.ts";
import { PHONE, useEngines } from "./support/stage.ts";

const test = useEngines();

const RESTAURANT: Target = { role: "radio", name: "Gastronomie" };
const DROPPINGS: Target = { role: "checkbox", name: "Verschmutzung durch Kot" };
const COURTYARD: Target = { role: "checkbox", name: "Innenhof" };

test(
  "without JavaScript an invalid form keeps every answer, and leads to the private page once it is corrected",
  { ...PHONE, scripts: "off" },
  async (visitor, site) => {
    const before = await site.stored();
    await visitor.open("/");
    await visitor.click({ role: "link", name: "Angebot", inside: "main" });
    await visitor.isAt("/fragebogen");
    await visitor.choose(RESTAURANT);
    await visitor.fill("Postleitzahl", "10115");
    await visitor.choose(DROPPINGS);
    await visitor.choose(COURTYARD);
    // A form with the same answers counts as a double submit, and stores nothing.
    await fillContact(visitor, { Nachname: `Groß ${before.length}` });
    await visitor.click(SEND);

    await visitor.meets(
      "what is wrong, with the focus",
      () => document.activeElement?.matches(".error-summary") === true,
    );
    await visitor.click({
      role: "link",
      name: "Bitte geben Sie eine gültige Hamburger Postleitzahl ein",
      inside: "main",
    });
    await visitor.finds(
      { role: "textbox", name: "Postleitzahl" },
      { value: "10115", isInvalid: true, isFocused: true },
    );
    for (const answer of [RESTAURANT, DROPPINGS, COURTYARD]) await visitor.finds(answer, { isChecked: true });
    await visitor.finds({ role: "textbox", name: "Vorname" }, { value: "Änne", isInvalid: false });
    await visitor.fill("Postleitzahl", "22765");
    await visitor.click(SEND);

    await visitor.click({ role: "link", name: "Ihre Anfrage ansehen", inside: "main" });
    await visitor.sees({ role: "button", name: "Anfrage zurückziehen" });
    await visitor.reads("22765");

    const [inquiry, ...others] = (await site.stored()).slice(before.length);
    assert.deepEqual(others, []);
    assert.equal(inquiry?.postal_code, "22765");
    assert.equal(inquiry?.property_type, "commercial");
    assert.equal(inquiry?.types_of_problems, "droppings");
    assert.equal(inquiry?.problem_locations, "courtyard");
    assert.equal(inquiry?.first_name, "Änne");
  },
);
