import { ContactWays } from "./contact-ways.tsx";
import { ErrorSummary } from "./error-summary.tsx";

/** What stands above the whole form. It goes where one question is shown alone. */
export function ServedIntro() {
  return (
    <div className="layout-wrap served-intro">
      <h1>Kostenlos Angebote anfragen</h1>
      <p className="layout-lead">Fünf kurze Fragen, dann melden sich bis zu drei geprüfte Fachbetriebe bei Ihnen.</p>
      <ErrorSummary />
      <ContactWays />
    </div>
  );
}
