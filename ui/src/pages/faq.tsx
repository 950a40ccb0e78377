import entries from "../../generated/faq.json" with { type: "json" };
import { CallToAction } from "../components/call-to-action.tsx";
import { PageIntro } from "../components/page-intro.tsx";
import { PageHead } from "../meta/page-head.tsx";
import { routeMeta } from "../meta/page-meta.ts";
import { ProseBody } from "../prose/prose-body.tsx";
import { route } from "../routes.ts";

export function FaqPage() {
  return (
    <>
      <PageHead meta={routeMeta(route("/faq"))} />
      <div className="wrap page narrow">
        <PageIntro
          title="Häufige Fragen"
          lead="Was uns Eigentümer, Mieter und Verwaltungen am häufigsten fragen, bevor sie Angebote einholen."
        />
        <div className="faq">
          {entries.map(({ question }, index) => (
            <details key={question} name="faq">
              <summary>
                <h2>{question}</h2>
              </summary>
              <ProseBody id={`faq-${index + 1}`} />
            </details>
          ))}
        </div>
        <CallToAction
          title="Ihre Frage war nicht dabei?"
          text="Beschreiben Sie Ihren Fall im Fragebogen. Die Betriebe antworten mit Preis, Methode und Termin."
        />
      </div>
    </>
  );
}
