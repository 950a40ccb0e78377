import type { Answers } from "../inquiry/answers.ts";
import { CONTACT_STEP, FIRST_STEP, type Step } from "./steps.ts";
import { summaryLines } from "./summary-lines.ts";

/** The answers of the earlier steps, on wide screens. The last step shows the whole summary instead. */
export function AnswersAside({ step, answers }: { readonly step: Step; readonly answers: Answers }) {
  if (step === FIRST_STEP || step === CONTACT_STEP) return null;
  return (
    <section className="so-far">
      <h2>Bisher angegeben</h2>
      <dl>
        {summaryLines(answers)
          .filter((line) => line.step < step)
          .map(({ name, text }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
