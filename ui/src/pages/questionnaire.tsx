import { renderToString } from "react-dom/server";
import { InlineScript } from "../inline/inline-script.tsx";
import { Island } from "../island/island.tsx";
import { PageHead } from "../meta/page-head.tsx";
import { routeMeta } from "../meta/page-meta.ts";
import { ServedForm } from "../questionnaire/served-form.tsx";
import { ServedIntro } from "../questionnaire/served-intro.tsx";
import { questionnaireRoute } from "../routes/form-routes.ts";
import { ThankYouArticles } from "./thank-you-articles.tsx";

/**
 * Renders the page of the questionnaire, which the server fills when a form comes back that it cannot take. Where scripts
 * run, `inline/steps.js` shows one question at a time until React has taken the form over. The page carries what the
 * thank-you page shows besides code.
 */
export function QuestionnairePage() {
  return (
    <>
      <PageHead meta={routeMeta(questionnaireRoute)} />
      <div data-mode="{{ form.mode }}">
        <InlineScript name="steps" />
        <ServedIntro />
        <p className="visually-hidden questionnaire-alone" role="status" data-loading="">
          Fragebogen wird geladen...
        </p>
        {/* With the marks between texts by which React finds them again. */}
        <Island page="/fragebogen" html={renderToString(<ServedForm />)} />
      </div>
      <template data-suggested-reading="">
        <ThankYouArticles />
      </template>
    </>
  );
}
