import { useState } from "react";
import { QuestionnaireForm } from "./questionnaire-form.tsx";
import { readServedAnswers } from "./served-answers.ts";
import { useDraft } from "./use-draft.ts";

/** The questionnaire, in the browser. It takes over the served form (`served-form.tsx`) where that stands. */
export function Questionnaire() {
  const [served] = useState(readServedAnswers);
  return <QuestionnaireForm draft={useDraft(served)} served={served} />;
}
