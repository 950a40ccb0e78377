import { renderToString } from "react-dom/server";
import { InlineScript } from "../inline/inline-script.tsx";
import { ServedForm } from "../questionnaire/served-form.tsx";
import { ServedIntro } from "../questionnaire/served-intro.tsx";
import { slot } from "../template/template.tsx";

/**
 * Renders the page of the questionnaire, which the server fills when a form comes back that it cannot take. Where scripts
 * run, `inline/steps.js` shows one question at a time until React has taken the form over (`island/mount.tsx`).
 */
export function QuestionnairePage() {
  return (
    <div data-mode={slot("form.mode")}>
      <InlineScript name="steps" />
      <ServedIntro />
      <p className="visually-hidden questionnaire-alone" role="status" data-loading="">
        Fragebogen wird geladen...
      </p>
      {/* With the marks between texts by which React finds them again. */}
      <div data-island="" dangerouslySetInnerHTML={{ __html: renderToString(<ServedForm />) }} />
    </div>
  );
}
