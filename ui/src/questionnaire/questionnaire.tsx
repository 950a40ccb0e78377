import { useHydrated } from "../browser/use-hydrated.ts";
import { Placeholder } from "./placeholder.tsx";
import { QuestionnaireForm } from "./questionnaire-form.tsx";
import { useDraft } from "./use-draft.ts";
import { usePreselection } from "./use-preselection.ts";

/** The questionnaire (spec sections 2 and 4). The file that is sent holds the loading message; the browser goes on. */
export function Questionnaire() {
  return useHydrated() ? <Prepared /> : <Placeholder />;
}

function Prepared() {
  const draft = useDraft(usePreselection());
  return <QuestionnaireForm draft={draft} />;
}
