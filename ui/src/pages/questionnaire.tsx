import { PageHead } from "../meta/page-head.tsx";
import { routeMeta } from "../meta/page-meta.ts";
import { ServedForm } from "../questionnaire/served-form.tsx";
import { questionnaireRoute } from "../routes/form-routes.ts";
import { ThankYouArticles } from "./thank-you-articles.tsx";

/** Renders the page of the questionnaire. It carries what the thank-you page shows besides code. */
export function QuestionnairePage() {
  return (
    <>
      <PageHead meta={routeMeta(questionnaireRoute)} />
      <ServedForm />
      <template data-suggested-reading="">
        <ThankYouArticles />
      </template>
    </>
  );
}
