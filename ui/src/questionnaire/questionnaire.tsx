import { QuestionnaireForm } from "./questionnaire-form.tsx";
import { useDraft } from "./use-draft.ts";
import { usePreselection } from "./use-preselection.ts";

/** The questionnaire (spec sections 2 and 4), in the browser. The served page holds a placeholder. */
export function Questionnaire() {
  const draft = useDraft(usePreselection());
  return <QuestionnaireForm draft={draft} />;
}
