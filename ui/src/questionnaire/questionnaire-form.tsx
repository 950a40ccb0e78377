import { type FormEvent, useRef } from "react";
import { Actions } from "./actions.tsx";
import { Confirmation } from "./confirmation.tsx";
import { Frame } from "./frame.tsx";
import { Progress } from "./progress.tsx";
import { checkAll, checkStep } from "./rules.ts";
import { SoFar } from "./so-far.tsx";
import { StepFields } from "./step-fields.tsx";
import { CONTACT_STEP } from "./steps.ts";
import { useComplaint } from "./use-complaint.ts";
import type { DraftHandle } from "./use-draft.ts";
import { useFocus } from "./use-focus.ts";
import { reportOf } from "./trap.tsx";
import { useSteps } from "./use-steps.ts";
import { useSubmission } from "./use-submission.ts";

/** One question a step; checked when the visitor goes on, never while typing. */
export function QuestionnaireForm({ draft }: { readonly draft: DraftHandle }) {
  const form = useRef<HTMLFormElement>(null);
  const { step, isVisible, entry, ...steps } = useSteps();
  const { complaint, ...complaints } = useComplaint(step);
  const submission = useSubmission(draft, entry);
  useFocus(form, step, complaint);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = step === CONTACT_STEP ? checkAll(draft.answers) : checkStep(step, draft.answers);
    if (found !== null) {
      complaints.raise(found);
      if (found.step !== step) steps.goTo(found.step);
      return;
    }
    complaints.clear();
    if (step === CONTACT_STEP) submission.start(reportOf(form.current));
    else steps.goOn();
  };

  const goBack = () => {
    complaints.clear();
    steps.goBack();
  };

  if (submission.failure !== null) {
    return <Confirmation failure={submission.failure} />;
  }
  return (
    <Frame soFar={<SoFar step={step} answers={draft.answers} />}>
      <form noValidate ref={form} onSubmit={submit}>
        <Progress step={step} />
        <div className="questionnaire-stage" data-visible={isVisible}>
          <StepFields
            step={step}
            answers={draft.answers}
            errors={complaint?.fields ?? {}}
            onChange={(action, name) => {
              draft.apply(action);
              complaints.forget(name);
            }}
            onChosen={() => {
              complaints.clear();
              steps.goOn();
            }}
          />
          <Actions step={step} isSending={submission.isSending} onBack={goBack} />
        </div>
      </form>
    </Frame>
  );
}
