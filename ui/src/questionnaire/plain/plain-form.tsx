import { Vetted } from "../../claims/vetted.tsx";
import { InlineScript } from "../../inline/inline-script.tsx";
import { Frame } from "../frame.tsx";
import { ContactWays } from "./contact-ways.tsx";
import { ErrorSummary } from "./error-summary.tsx";
import { FormEnd } from "./form-end.tsx";
import { ContactQuestion, ListQuestion, PlaceQuestion, PropertyQuestion } from "./plain-questions.tsx";
import { PlainStep } from "./plain-step.tsx";
import { slot } from "./slots.tsx";

/**
 * The whole questionnaire as one form, for browsers that run no scripts. It stands in the served page and is the template
 * which the server fills with the answers of a form that it cannot take. Where scripts run, `first-step.js` shows one step
 * of it until the other form takes its place.
 */
export function PlainForm() {
  return (
    <div className="layout-wrap layout-page questionnaire-page plain-form" data-mode={slot("form.mode")}>
      <InlineScript name="first-step" />
      <Frame>
        <form method="post" action="/fragebogen" noValidate>
          <div className="plain-form-intro">
            <h1 className="plain-form-title">Kostenlos Angebote anfragen</h1>
            <p className="layout-lead">
              Fünf kurze Fragen, dann melden sich bis zu drei{" "}
              <Vetted otherwise="Fachbetriebe">geprüfte Fachbetriebe</Vetted> bei Ihnen.
            </p>
            <ErrorSummary />
            <ContactWays />
          </div>
          <p className="visually-hidden plain-form-alone" role="status">
            Fragebogen wird geladen...
          </p>
          <PlainStep step={0}>
            <PropertyQuestion />
          </PlainStep>
          <PlainStep step={1}>
            <PlaceQuestion />
          </PlainStep>
          <PlainStep step={2}>
            <ListQuestion name="problems" />
          </PlainStep>
          <PlainStep step={3}>
            <ListQuestion name="locations" />
          </PlainStep>
          <PlainStep step={4}>
            <ContactQuestion />
            <FormEnd />
          </PlainStep>
        </form>
      </Frame>
    </div>
  );
}
