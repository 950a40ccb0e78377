import { renderToString } from "react-dom/server";
import { InlineScript } from "../inline/inline-script.tsx";
import { ServedForm } from "../questionnaire/served-form.tsx";
import { ServedIntro } from "../questionnaire/served-intro.tsx";
import { slot } from "../template/template.tsx";

/**
 * Renders the questionnaire's page, which the server fills in when it rejects a form. With scripts, `inline/steps.js`
 * shows one question at a time until React has taken over the form (`island/mount.tsx`).
 */
export function QuestionnairePage() {
  return (
    <div data-mode={slot("form.mode")}>
      <InlineScript name="steps" />
      <ServedIntro />
      <p className="visually-hidden questionnaire-alone" role="status" data-loading="">
        Fragebogen wird geladen...
      </p>
      {/* Includes the markers between texts that React needs for hydration. */}
      <div data-island="" dangerouslySetInnerHTML={{ __html: renderToString(<ServedForm />) }} />
    </div>
  );
}
