import { PageHead } from "../meta/page-head.tsx";
import { routeMeta } from "../meta/page-meta.ts";
import { Questionnaire } from "../questionnaire/questionnaire.tsx";
import { questionnaireRoute } from "../routes/form-routes.ts";

export function QuestionnaireScreen() {
  return (
    <>
      <PageHead meta={routeMeta(questionnaireRoute)} />
      <Questionnaire />
    </>
  );
}
