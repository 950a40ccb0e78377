import assert from "node:assert/strict";
import type { Target } from "./support/in-page.ts";
import { answerOn, arrivesAt, fillContact, SEND } from "./support/questionnaire.ts";
import { DESKTOP, PHONE, useEngines } from "./support/stage.ts";

const test = useEngines();

const PRIVATE_PAGE: Target = { role: "link", name: "Ihre Anfrage ansehen", inside: "main" };

for (const [name, setting] of [
  ["a phone", PHONE],
  ["a desktop", DESKTOP],
] as const) {
  test(`from a tile of the home page to the private page on ${name}`, setting, async (visitor, site) => {
    const before = await site.stored();
    await visitor.open("/");
    // The banner would come over the tiles just when one is clicked.
    await visitor.click({ role: "button", name: "Ablehnen" });
    await visitor.click({ role: "link", name: "Gastronomie", inside: "main" });
    await visitor.isAt("/fragebogen?propertyType=commercial-restaurant&step=1");
    await arrivesAt(visitor, 2);
    await answerOn(visitor);
    await fillContact(visitor);
    await visitor.click(SEND);
    await visitor.isAt("/danke");
    await visitor.click({ role: "button", name: "Hier bleiben" });
    await visitor.leavesQuietly();
    await visitor.click(PRIVATE_PAGE);
    await visitor.sees({ role: "button", name: "Anfrage zurückziehen" });
    await visitor.reads("22765");
    await visitor.back("/danke");
    await visitor.sees(PRIVATE_PAGE);

    const [inquiry, ...others] = (await site.stored()).slice(before.length);
    assert.deepEqual(others, []);
    assert.equal(inquiry?.postal_code, "22765");
    assert.equal(inquiry?.property_type, "commercial");
    assert.equal(inquiry?.types_of_problems, "droppings,health");
    assert.equal(inquiry?.problem_locations, "courtyard");
    assert.equal(inquiry?.first_name, "Änne");
    assert.equal(inquiry?.phone_number, "+49 40 1234567");
  });
}
