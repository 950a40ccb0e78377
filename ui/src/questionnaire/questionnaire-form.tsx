import { type FormEvent, useRef } from "react";
import { useStepCount } from "../funnel/use-step-count.ts";
import { Actions } from "./actions.tsx";
import { AnswersAside } from "./answers-aside.tsx";
import { Confirmation } from "./confirmation.tsx";
import { Frame } from "./frame.tsx";
import type { TypedAnswers } from "./plain/adopt.ts";
import { Progress } from "./progress.tsx";
import { StepFields } from "./step-fields.tsx";
import { validateAll, validateStep } from "./step-validation.ts";
import { CONTACT_STEP } from "./steps.ts";
import { readSignals } from "./honeypot.tsx";
import type { DraftHandle } from "./use-draft.ts";
import { useFocus } from "./use-focus.ts";
import { useSteps } from "./use-steps.ts";
import { useSubmit } from "./use-submit.ts";
import { useTakeover } from "./use-takeover.ts";
import { useValidationError } from "./use-validation-error.ts";

interface Props {
  readonly draft: DraftHandle;
  /** What was done in the plain form; null if this form did not take the place of one. */
  readonly typed: TypedAnswers | null;
}

/** Asks one question a step. Answers are checked when the visitor goes on, never while typing. */
export function QuestionnaireForm({ draft, typed }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const { step, isVisible, entry, ...steps } = useSteps(typed !== null);
  const { error, ...errors } = useValidationError(step);
  const { isSending, failure, start } = useSubmit(draft, entry);
  useFocus(form, step, error);
  useStepCount(step);

  const goOn = () => {
    const found = step === CONTACT_STEP ? validateAll(draft.answers) : validateStep(step, draft.answers);
    if (found !== null) {
      errors.show(found);
      if (found.step !== step) steps.goTo(found.step);
      return;
    }
    errors.clear();
    if (step !== CONTACT_STEP) return steps.goOn();
    keepPlace(form.current);
    start(readSignals(form.current));
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    goOn();
  };

  const goBack = () => {
    errors.clear();
    steps.goBack();
  };
  useTakeover(form, typed, { step, goTo: steps.goTo, goOn, goBack });

  if (failure !== null) {
    return <Confirmation failure={failure} />;
  }
  return (
    <Frame aside={<AnswersAside step={step} answers={draft.answers} />}>
      <form noValidate ref={form} onSubmit={submit}>
        <Progress step={step} />
        <div className="questionnaire-stage" data-visible={isVisible}>
          <StepFields
            step={step}
            answers={draft.answers}
            errors={error?.fields ?? {}}
            isLocked={isSending}
            onChange={(action) => {
              draft.dispatch(action);
              errors.forget(action.name);
            }}
            onChosen={() => {
              errors.clear();
              steps.goOn();
            }}
          />
          <Actions step={step} isSending={isSending} onBack={goBack} />
        </div>
      </form>
    </Frame>
  );
}

/** Moves the focus to the heading: a field that is locked would lose it. */
function keepPlace(form: HTMLFormElement | null): void {
  if (document.activeElement?.closest("fieldset")) {
    form?.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  }
}
