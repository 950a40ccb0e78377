/** The questionnaire's steps. Step 5, the confirmation of a failed submit, has no address. */
export type Step = 0 | 1 | 2 | 3 | 4;

export const STEPS: readonly Step[] = [0, 1, 2, 3, 4];

export const FIRST_STEP: Step = 0;
export const CONTACT_STEP: Step = 4;

/** Returns the step in the address; the first one unless it is an integer from 0 to 4. */
export function readStep(query: URLSearchParams): Step {
  const text = query.get("step");
  return STEPS.find((step) => String(step) === text) ?? FIRST_STEP;
}

export function stepAfter(step: Step): Step {
  return STEPS[step + 1] ?? CONTACT_STEP;
}

export function stepBefore(step: Step): Step {
  return STEPS[step - 1] ?? FIRST_STEP;
}

/** The texts of a question. */
export interface QuestionText {
  /** What it asks for, in one word. */
  readonly label: string;
  readonly title: string;
  readonly hint?: string;
}

const ANY_NUMBER = "Wählen Sie alles, was zutrifft, oder gehen Sie einfach weiter.";

/** The questions by step, with and without JavaScript. */
export const QUESTIONS: Readonly<Record<Step, QuestionText>> = {
  0: { label: "Gebäude", title: "Um welche Art von Gebäude geht es?" },
  1: {
    label: "Ort",
    title: "Wo befindet sich das Gebäude?",
    hint: "Wir vermitteln in Hamburg und bis zu 50\u00a0km rundherum, aber nur für Postleitzahlen 20000\u00a0bis\u00a022999.",
  },
  2: { label: "Problem", title: "Welche Probleme haben Sie mit Tauben?", hint: ANY_NUMBER },
  3: { label: "Stelle", title: "Wo treten die Probleme auf?", hint: ANY_NUMBER },
  4: { label: "Kontakt", title: "Wie sind Sie zu erreichen?", hint: "Wir brauchen alle vier Angaben." },
};
