import { Vetted } from "../claims/vetted.tsx";
import { ContactWays } from "./contact-ways.tsx";
import { ErrorSummary } from "./error-summary.tsx";

/** The text above the whole form, which is hidden where one question is shown at a time. */
export function ServedIntro() {
  return (
    <div className="layout-wrap served-intro">
      <h1>Kostenlos Angebote anfragen</h1>
      <p className="layout-lead">
        Fünf kurze Fragen, dann melden sich bis zu drei <Vetted otherwise="Fachbetriebe">geprüfte Fachbetriebe</Vetted>{" "}
        bei Ihnen.
      </p>
      <ErrorSummary />
      <ContactWays />
    </div>
  );
}
