import { CONTACT } from "../../browser/support/questionnaire.ts";
import type { Target } from "./in-page.ts";
import type { Visitor } from "./visitor.ts";

export const ONWARD: Target = { role: "button", name: "Weiter" };
export const SEND: Target = { role: "button", name: "Absenden" };

/** Waits for a step, counted from 1 as visitors see it, that the page itself has opened: its question then has the focus. */
export async function reaches(visitor: Visitor, step: number): Promise<void> {
  await arrivesAt(visitor, step);
  await visitor.meets("the question to have the focus", () => document.activeElement?.tagName === "H1");
}

/** Waits for a step that a new document or the browser's history has opened. */
export async function arrivesAt(visitor: Visitor, step: number): Promise<void> {
  await visitor.sees({ role: "progressbar", name: `Schritt ${step} von 5` });
  await visitor.meets(
    "the step to fade in",
    () => document.querySelector(".questionnaire-stage[data-visible=true]") !== null,
  );
}

export async function fillContact(visitor: Visitor, changes: Partial<typeof CONTACT> = {}): Promise<void> {
  for (const [label, text] of Object.entries({ ...CONTACT, ...changes })) await visitor.fill(label, text);
}

/** Answers the questions from the postal code to the place, and moves on to the contact details. */
export async function answerOn(visitor: Visitor): Promise<void> {
  await visitor.fill("Postleitzahl", "22765");
  await visitor.click(ONWARD);
  await reaches(visitor, 3);
  await visitor.choose({ role: "checkbox", name: "Verschmutzung durch Kot" });
  await visitor.choose({ role: "checkbox", name: "Gesundheitliche Bedenken" });
  await visitor.click(ONWARD);
  await reaches(visitor, 4);
  await visitor.choose({ role: "checkbox", name: "Innenhof" });
  await visitor.click(ONWARD);
  await reaches(visitor, 5);
}
