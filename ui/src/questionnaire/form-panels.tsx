import type { FormEvent, RefObject } from "react";
import { Actions } from "./actions.tsx";
import { Frame } from "./frame.tsx";
import { Progress, PROGRESS_ID } from "./progress.tsx";
import type { StepProps } from "./question.tsx";
import { StepFields } from "./step-fields.tsx";
import { CONTACT_STEP, FIRST_STEP, type Step } from "./steps.ts";
import { Summary } from "./summary.tsx";

interface Props extends Omit<StepProps, "isLocked"> {
  /** The steps in the document: all of them while the form is as served, then only the one shown. */
  readonly steps: readonly Step[];
  readonly current: Step;
  /** False while a step fades out before the next one. */
  readonly isVisible: boolean;
  readonly isSending: boolean;
  readonly onBack: () => void;
  readonly onSubmit: (event: FormEvent) => void;
  readonly form?: RefObject<HTMLFormElement | null>;
}

/** The form of the questionnaire, with one question per step. */
export function FormPanels({ steps, current, isVisible, isSending, onBack, onSubmit, form, ...props }: Props) {
  const { answers } = props.view;
  const isOnTheWay = current > FIRST_STEP && current < CONTACT_STEP;
  return (
    <Frame aside={isOnTheWay && answers && <Summary answers={answers} onOpen={props.onOpen} />}>
      <form method="post" action="/fragebogen" noValidate ref={form} onSubmit={onSubmit}>
        {steps.map((step) => (
          // The shown step keeps its element across steps, and when React takes over the page.
          <div className="questionnaire-step" data-step={step} key={step === current ? "shown" : step}>
            <Progress step={step} id={answers ? PROGRESS_ID : `${PROGRESS_ID}-${step}`} />
            <div className="questionnaire-stage" data-visible={isVisible}>
              <StepFields step={step} isLocked={isSending} {...props} />
              <Actions step={step} isSending={isSending} onBack={onBack} />
            </div>
          </div>
        ))}
      </form>
    </Frame>
  );
}
