import { useHydrated } from "../browser/use-hydrated.ts";
import { Placeholder } from "./placeholder.tsx";
import { QuestionnaireForm } from "./questionnaire-form.tsx";
import { useDraft } from "./use-draft.ts";
import { usePreselection } from "./use-preselection.ts";

/** The questionnaire (spec sections 2 and 4). Answers are known in the browser only, so the served page holds none. */
export function Questionnaire() {
  return useHydrated() ? <Hydrated /> : <Placeholder />;
}

function Hydrated() {
  const draft = useDraft(usePreselection());
  return <QuestionnaireForm draft={draft} />;
}
