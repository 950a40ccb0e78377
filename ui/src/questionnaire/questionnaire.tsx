import { useState } from "react";
import { adoptTypedAnswers } from "./plain/adopt.ts";
import { QuestionnaireForm } from "./questionnaire-form.tsx";
import { useDraft } from "./use-draft.ts";
import { usePreselection } from "./use-preselection.ts";

/** The questionnaire, in the browser. The served page holds the plain form. */
export function Questionnaire() {
  // Read before it is replaced.
  const [typed] = useState(() => adoptTypedAnswers(document));
  const draft = useDraft(usePreselection(), typed);
  return <QuestionnaireForm draft={draft} typed={typed} />;
}
