import assert from "node:assert/strict";
import type { Target } from "./support/in-page.ts";
import { answerOn, arrivesAt, fillContact, SEND } from "./support/questionnaire.ts";
import { PHONE, useEngines } from "./support/stage.ts";

const test = useEngines();

const PRIVATE_PAGE: Target = { role: "link", name: "Ihre Anfrage ansehen", inside: "main" };
const COURTYARD: Target = { role: "checkbox", name: "Innenhof" };

test(
  "from a tile of the home page, with back, forward and a reload on the way, to the private page",
  PHONE,
  async (visitor, site) => {
    const before = await site.stored("--include-suspected");
    await visitor.open("/");
    // The banner could appear over the tiles at the very moment of the click.
    await visitor.click({ role: "button", name: "Ablehnen" });
    await visitor.click({ role: "link", name: "Gastronomie", inside: "main" });
    await visitor.isAt("/fragebogen?propertyType=commercial-restaurant&step=1");
    await arrivesAt(visitor, 2);
    await answerOn(visitor);
    await visitor.back("/fragebogen?step=3");
    await visitor.finds(COURTYARD, { isChecked: true });
    await visitor.forward("/fragebogen?step=4");
    await fillContact(visitor);
    await visitor.reload();
    await visitor.finds({ role: "textbox", name: "Telefonnummer" }, { value: "+49 40 1234567" });
    await visitor.click(SEND);
    await visitor.isAt("/danke");
    await visitor.click({ role: "button", name: "Hier bleiben" });
    await visitor.leavesQuietly();
    await visitor.click(PRIVATE_PAGE);
    await visitor.sees({ role: "button", name: "Anfrage zurückziehen" });
    await visitor.reads("22765");
    await visitor.back("/danke");
    await visitor.sees(PRIVATE_PAGE);

    const [inquiry, ...others] = (await site.stored("--include-suspected")).slice(before.length);
    assert.deepEqual(others, []);
    assert.equal(inquiry?.postal_code, "22765");
    assert.equal(inquiry?.property_type, "commercial");
    assert.equal(inquiry?.types_of_problems, "droppings,health");
    assert.equal(inquiry?.problem_locations, "courtyard");
    assert.equal(inquiry?.first_name, "Änne");
    assert.equal(inquiry?.phone_number, "+49 40 1234567");
  },
);

const PAGES = [
  "/",
  "/blog",
  "/blog/taubenabwehr-kosten-hamburg",
  "/blog/kategorie/kosten",
  "/faq",
  "/datenschutz",
  "/cookie-einstellungen",
  "/danke",
  "/fragebogen",
  "/sitemap",
] as const;

test(
  "pages of every kind open without errors, requests to other hosts or sideways scrolling",
  PHONE,
  async (visitor) => {
    for (const path of PAGES) {
      await visitor.open(path);
      assert.notEqual(await visitor.text("main h1"), "", path);
      const beyond = await visitor.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(beyond <= 0, `${path} is ${beyond} pixels too wide`);
      await visitor.leavesQuietly();
    }
  },
);
