import { useEffect } from "react";
import { useLocation } from "react-router";
import { routeMeta } from "../meta/page-meta.ts";
import { Questionnaire } from "../questionnaire/questionnaire.tsx";
import { questionnaireRoute, thankYouRoute } from "../routes/form-routes.ts";
import { ThankYou } from "../thanks/thank-you.tsx";
import type { IslandPage } from "./island.tsx";
import { useArrival } from "./use-arrival.ts";
import { useHead } from "./use-head.ts";
import { useTop } from "./use-top.ts";

interface Props {
  /** The page that the document is. */
  page: IslandPage;
  /** The HTML of the articles on the thank-you page. */
  suggestedReading: string;
}

/**
 * Picks what the island of a document shows. Only the questionnaire leads on within its document: from step to step, and to
 * the thank-you page. Its history entries outlive a reload there, so the back button may also lead the other way.
 */
export function Screen({ page, suggestedReading }: Props) {
  const { pathname } = useLocation();
  if (page === "/danke" && pathname === "/fragebogen") return <OtherDocument />;
  if (page === "/danke" || pathname === "/danke") return <ThankYouScreen suggestedReading={suggestedReading} />;
  return <QuestionnaireScreen />;
}

function QuestionnaireScreen() {
  useHead(routeMeta(questionnaireRoute));
  useTop();
  return <Questionnaire />;
}

function ThankYouScreen({ suggestedReading }: Pick<Props, "suggestedReading">) {
  useHead(routeMeta(thankYouRoute));
  useTop();
  useArrival();
  return (
    <div className="layout-wrap layout-page">
      <ThankYou suggestedReading={suggestedReading} />
    </div>
  );
}

/** Has the browser load the open address. */
function OtherDocument() {
  useEffect(() => window.location.reload(), []);
  return null;
}
