import { ArticleCards } from "../blog/article-card.tsx";
import { latestArticles } from "../blog/articles.ts";
import { either, If, slot } from "../template/template.tsx";
import { OperatorSteps, WhatFollows } from "../components/what-follows.tsx";
import { FormDrawing } from "../drawings/form-drawing.tsx";
import { InlineScript } from "../inline/inline-script.tsx";
import { MESSAGES, Stored } from "./thanks/messages.tsx";
import { OfferPromise } from "./thanks/offer-promise.tsx";

/** How many articles the page suggests. */
const TEASERS = 3;

/**
 * The thank-you page, complete without scripts: for a direct visit, and for an inquiry named in its address.
 * `inline/thanks.js` uses the templates to show what only the browser knows.
 */
export function ThankYouPage() {
  return (
    <>
      <div className="layout-wrap layout-page">
        <div className="thanks" data-firms-asked={slot("thanks.firms_asked")}>
          <div className="thanks-message stack" data-gap="4">
            <div className="thanks-texts stack" data-gap="4">
              <If
                test="thanks.link"
                otherwise={
                  <>
                    <h1>{`Vielen Dank${either("thanks.is_stored or site.sample", " für Ihre Anfrage")}!`}</h1>
                    <p className="layout-lead" data-slot="lead">
                      <OfferPromise />
                    </p>
                  </>
                }
              >
                <Stored
                  lead={<OfferPromise />}
                  reference={slot("thanks.reference")}
                  privatePage={slot("thanks.link")}
                />
              </If>
            </div>
            <a className="button-quiet thanks-home" href="/">
              Zurück zur Startseite
            </a>
            <div className="thanks-countdown" hidden>
              <button type="button" className="button-quiet">
                Hier bleiben
              </button>
              <p />
              <p aria-live="polite" />
            </div>
            <FormDrawing name="scenes/thanks" className="thanks-drawing" />
          </div>
          <section className="thanks-next" aria-labelledby="next-heading">
            <h2 className="minor" id="next-heading">
              So geht es weiter
            </h2>
            <If test="thanks.is_stored and not thanks.firms_asked" otherwise={<WhatFollows />}>
              <OperatorSteps />
            </If>
          </section>
        </div>
        <section aria-labelledby="teasers-heading">
          <h2 id="teasers-heading">Während Sie warten</h2>
          <ArticleCards articles={latestArticles().slice(0, TEASERS)} />
        </section>
      </div>
      <template id="thanks-stored">
        <Stored />
      </template>
      <template id="thanks-steps">
        <OperatorSteps />
      </template>
      {Object.entries(MESSAGES).map(([status, message]) => (
        <template id={`thanks-${status}`} key={status}>
          {message}
        </template>
      ))}
      <InlineScript name="thanks" />
    </>
  );
}
