import { useRef, useState } from "react";
import { NO_ANSWERS } from "../inquiry/answers.ts";
import { useSteps } from "./use-steps.ts";
import { Confirmation } from "./confirmation.tsx";
import { FormPanels } from "./form-panels.tsx";
import { answersView } from "./form-view.ts";
import { signalHeaders } from "./honeypot.tsx";
import { withInput } from "./input-answers.ts";
import { readChanged, readPreselected, readTyped } from "./served-answers.ts";
import { validateAll, validateStep } from "./step-validation.ts";
import { CONTACT_STEP, STEPS } from "./steps.ts";
import { useDraft } from "./use-draft.ts";
import { useSubmit } from "./use-submit.ts";
import { useTakeover } from "./use-takeover.ts";
import { useValidationError } from "./use-validation-error.ts";

/**
 * Asks one question per step. Answers are validated when the visitor moves on, never while typing. It takes over the
 * served form (`served-form.tsx`) below `root`.
 */
export function QuestionnaireForm({ root }: { readonly root: HTMLElement }) {
  const [preselected] = useState(() => readPreselected(root));
  const draft = useDraft(preselected);
  const form = useRef<HTMLFormElement>(null);
  const { step, isVisible, entry, ...steps } = useSteps();
  const { error, ...errors } = useValidationError(form, step);
  const { isSending, failure, start, review } = useSubmit(draft, entry);

  const goOn = () => {
    // Password managers fill in fields without firing events.
    const typed = readTyped(form.current, draft.answers);
    typed.forEach(draft.update);
    const answers = typed.reduce(withInput, draft.answers);
    const found = step === CONTACT_STEP ? validateAll(answers) : validateStep(step, answers);
    if (found !== null) {
      errors.show(found);
      if (found.step !== step) steps.goTo(found.step);
      return;
    }
    errors.clear();
    if (step !== CONTACT_STEP) return steps.goOn();
    keepPlace(form.current);
    start(answers, signalHeaders(form.current));
  };

  const goBack = () => {
    errors.clear();
    steps.goBack();
  };
  const catchUp = () => {
    readChanged(root).forEach(draft.update);
    steps.arrive();
  };
  const isServed = useTakeover(root, catchUp, goOn, goBack);

  if (failure !== null) {
    const sendAgain = () => start(draft.answers, signalHeaders(null));
    return <Confirmation failure={failure} isSending={isSending} onSendAgain={sendAgain} onReview={review} />;
  }
  const answers = isServed ? preselected.reduce(withInput, NO_ANSWERS) : draft.answers;
  return (
    <FormPanels
      steps={isServed ? STEPS : [step]}
      current={step}
      view={answersView(answers, error?.fields ?? {}, isServed)}
      isVisible={isVisible}
      isSending={isSending}
      form={form}
      onSubmit={(event) => {
        event.preventDefault();
        goOn();
      }}
      onBack={goBack}
      onChange={(input) => {
        draft.update(input);
        errors.forget(input.name);
      }}
      onChosen={() => {
        errors.clear();
        steps.goOn();
      }}
      onOpen={steps.openFromSummary}
    />
  );
}

/** Moves the focus to the heading, because a field that is locked would lose it. */
function keepPlace(form: HTMLFormElement | null): void {
  if (document.activeElement?.closest("fieldset")) {
    form?.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  }
}
