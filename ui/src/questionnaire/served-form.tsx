import { renderToString } from "react-dom/server";
import { InlineScript } from "../inline/inline-script.tsx";
import { Island } from "../island/island.tsx";
import { ContactWays } from "./contact-ways.tsx";
import { ErrorSummary } from "./error-summary.tsx";
import { FormPanels } from "./form-panels.tsx";
import { SERVED_VIEW } from "./served-view.tsx";
import { FIRST_STEP, STEPS } from "./steps.ts";

const ignore = () => {};

/**
 * The questionnaire as it is served: all questions in one form, which the server fills when a form comes back that it
 * cannot take. Where scripts run, `inline/steps.js` shows one question at a time until React has taken the form over.
 */
export function ServedForm() {
  return (
    <div data-mode="{{ form.mode }}">
      <InlineScript name="steps" />
      <div className="layout-wrap questionnaire-intro">
        <h1>Kostenlos Angebote anfragen</h1>
        <p className="layout-lead">Fünf kurze Fragen, dann melden sich bis zu drei geprüfte Fachbetriebe bei Ihnen.</p>
        <ErrorSummary />
        <ContactWays />
      </div>
      <p className="visually-hidden questionnaire-alone questionnaire-loading" role="status">
        Fragebogen wird geladen...
      </p>
      {/* With the marks between texts by which React finds them again. */}
      <Island page="/fragebogen" html={renderToString(<Form />)} />
    </div>
  );
}

function Form() {
  return (
    <FormPanels
      steps={STEPS}
      current={FIRST_STEP}
      view={SERVED_VIEW}
      isVisible
      isSending={false}
      onChange={ignore}
      onChosen={ignore}
      onBack={ignore}
      onSubmit={ignore}
    />
  );
}
