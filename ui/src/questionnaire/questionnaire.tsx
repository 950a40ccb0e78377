import { useState } from "react";
import { useHydrated } from "../browser/use-hydrated.ts";
import { StaticPart } from "../static/static-part.tsx";
import { usePage } from "../static/use-page.ts";
import { adoptTypedAnswers, isReturned } from "./plain/adopt.ts";
import { QuestionnaireForm } from "./questionnaire-form.tsx";
import { useDraft } from "./use-draft.ts";
import { usePreselection } from "./use-preselection.ts";

/** The questionnaire (spec sections 2 and 4). Answers are known in the browser only, so the served page holds a plain form. */
export function Questionnaire() {
  const isHydrated = useHydrated();
  return isHydrated && !isReturned(document) ? <Hydrated /> : <Served />;
}

function Served() {
  const page = usePage();
  return page && <StaticPart html={page.html} />;
}

function Hydrated() {
  // Read before it is replaced.
  const [typed] = useState(() => adoptTypedAnswers(document));
  const draft = useDraft(usePreselection(), typed);
  return (
    <div className="layout-wrap layout-page questionnaire-page">
      <QuestionnaireForm draft={draft} typed={typed} />
    </div>
  );
}
