/** The questionnaire's steps. Step 5, the confirmation of a failed submit, has no address. */
export type Step = 0 | 1 | 2 | 3 | 4;

export const STEPS: readonly Step[] = [0, 1, 2, 3, 4];
/** What each step asks for, in a word. */
export const STEP_LABELS: readonly string[] = ["Gebäude", "Ort", "Problem", "Stelle", "Kontakt"];

export const FIRST_STEP: Step = 0;
export const CONTACT_STEP: Step = 4;

/** Returns the step in the address; the first one for anything but an integer from 0 to 4. */
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

/** Returns how far the visitor has come, from 0 to 100. */
export function percentOf(step: Step): number {
  return (step / CONTACT_STEP) * 100;
}

export function progressText(step: Step): string {
  return `Schritt ${step + 1} von ${STEPS.length}`;
}
