import { renderToStaticMarkup } from "react-dom/server";
import { Island } from "../island/island.tsx";
import { PageHead } from "../meta/page-head.tsx";
import { routeMeta } from "../meta/page-meta.ts";
import { thankYouRoute } from "../routes/form-routes.ts";
import { ServedMessage } from "../thanks/served-message.tsx";
import { ThankYou } from "../thanks/thank-you.tsx";
import { ThankYouArticles } from "./thank-you-articles.tsx";

/** Renders the thank-you page as a direct visit shows it, and one that follows a form without JavaScript. */
export function ThankYouPage() {
  return (
    <>
      <PageHead meta={routeMeta(thankYouRoute)} />
      <Island page="/danke">
        <div className="layout-wrap layout-page">
          <ThankYou message={<ServedMessage />} suggestedReading={renderToStaticMarkup(<ThankYouArticles />)} />
        </div>
      </Island>
    </>
  );
}
