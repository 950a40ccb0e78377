import type { Target } from "./support/in-page.ts";
import { arrivesAt, ONWARD, reaches } from "./support/questionnaire.ts";
import { DESKTOP, PHONE, useEngines } from "./support/stage.ts";
import type { Visitor } from "./support/visitor.ts";

const test = useEngines();

const HOUSE: Target = { role: "radio", name: "Haus" };
const POSTAL_CODE: Target = { role: "textbox", name: "Postleitzahl" };
const NESTING: Target = { role: "checkbox", name: "Nisten" };

const footerLink = (name: string): Target => ({ role: "link", name, inside: "footer" });

async function answerTwoSteps(visitor: Visitor): Promise<void> {
  await visitor.open("/fragebogen");
  await arrivesAt(visitor, 1);
  await visitor.click(HOUSE);
  await reaches(visitor, 2);
  await visitor.fill("Postleitzahl", "20095");
  await visitor.click(ONWARD);
  await reaches(visitor, 3);
  await visitor.choose(NESTING);
}

test("the back and forward buttons lead through the steps, and every answer is kept", PHONE, async (visitor) => {
  await answerTwoSteps(visitor);
  await visitor.back("/fragebogen?step=1");
  await arrivesAt(visitor, 2);
  await visitor.finds(POSTAL_CODE, { value: "20095" });
  await visitor.back("/fragebogen");
  await arrivesAt(visitor, 1);
  await visitor.finds(HOUSE, { isChecked: true });
  await visitor.forward("/fragebogen?step=1");
  await visitor.finds(POSTAL_CODE, { value: "20095" });
  await visitor.forward("/fragebogen?step=2");
  await visitor.finds(NESTING, { isChecked: true });
  await visitor.leavesQuietly();
});

test("a reload keeps the step and every answer", PHONE, async (visitor) => {
  await answerTwoSteps(visitor);
  await visitor.reload();
  await visitor.isAt("/fragebogen?step=2");
  await visitor.finds(NESTING, { isChecked: true });
  await visitor.back("/fragebogen?step=1");
  await visitor.finds(POSTAL_CODE, { value: "20095" });
  await visitor.leavesQuietly();
});

test("the questionnaire is as it was left when the visitor comes back from another page", PHONE, async (visitor) => {
  await visitor.open("/fragebogen?propertyType=industrial&step=1");
  await arrivesAt(visitor, 2);
  await visitor.fill("Postleitzahl", "22");
  await visitor.click(footerLink("Datenschutz"));
  await visitor.isAt("/datenschutz");
  await visitor.back("/fragebogen?propertyType=industrial&step=1");
  await arrivesAt(visitor, 2);
  await visitor.finds(POSTAL_CODE, { value: "22" });
  await visitor.fill("Postleitzahl", "22765");
  await visitor.click(ONWARD);
  await reaches(visitor, 3);
  await visitor.leavesQuietly();
});

test(
  "a page starts at its top, and back, forward and reload find the place where it was left",
  DESKTOP,
  async (visitor) => {
    await visitor.open("/faq");
    await visitor.scrollTo(300);
    await visitor.click({ role: "link", name: "Blog", inside: "header" });
    await visitor.isAt("/blog");
    await visitor.stands(0);
    await visitor.scrollTo(120);
    await visitor.back("/faq");
    await visitor.stands(300);
    await visitor.forward("/blog");
    await visitor.stands(120);
    await visitor.reload();
    await visitor.stands(120);
    await visitor.back("/faq");
    await visitor.stands(300);
    await visitor.leavesQuietly();
  },
);

test("the browser keeps a page that is left, and shows the very same one again", DESKTOP, async (visitor) => {
  await visitor.open("/faq");
  await visitor.evaluate(() => {
    Object.assign(window, { isTheSame: true });
    for (const details of document.querySelectorAll("main details")) details.toggleAttribute("open", true);
  });
  await visitor.click(footerLink("Blog"));
  await visitor.isAt("/blog");
  await visitor.back("/faq");
  await visitor.meets("the page that was left", () => "isTheSame" in window);
  await visitor.meets("open answers", () => document.querySelector("main details:not([open])") === null);
  await visitor.leavesQuietly();
});
