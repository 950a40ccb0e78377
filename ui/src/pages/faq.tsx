import { Sources } from "../blog/sources.tsx";
import { PriceChart } from "../prose/charts/price-chart.tsx";
import { Accordion, AccordionItem } from "../components/accordion.tsx";
import { CallToAction } from "../components/call-to-action.tsx";
import { PageIntro } from "../components/page-intro.tsx";
import { Section } from "../components/section.tsx";
import { entries, estimates, reviewed, services, sources } from "./faq-texts.ts";
import { ProseBody } from "../prose/prose-body.tsx";

/** The groups of questions, in order of first appearance. */
const groups = [...new Set(entries.map(({ group }) => group))];

/** Renders the ten questions. The first is open, to show what clicking the others does. */
export function FaqPage() {
  return (
    <div className="layout-wrap layout-page">
      <PageIntro
        title="Häufige Fragen"
        lead="Die zehn häufigsten Fragen von Eigentümern, Mietern und Verwaltungen. Am Ende: wie unsere Vermittlung arbeitet."
        drawing="ledges/spikes"
      />
      {groups.map((group, index) => (
        <Section key={group} id={`gruppe-${index + 1}`} title={group} className="faq-group columns">
          <Accordion>
            {entries
              .filter((entry) => entry.group === group)
              .map(({ id, question, chart, chart_title }) => (
                <AccordionItem key={id} id={id} question={question} isOpen={id === entries[0]?.id}>
                  <ProseBody id={`faq-${id}`} />
                  {chart_title && (
                    <div className="prose">
                      <PriceChart title={chart_title} facts={chart} isCompact />
                    </div>
                  )}
                </AccordionItem>
              ))}
          </Accordion>
        </Section>
      ))}
      <Section id="dienst" title="Wie diese Vermittlung arbeitet">
        {services.map(({ id, question }) => (
          <section key={id} className="measure stack" data-above="6" aria-labelledby={id}>
            <h3 id={id}>{question}</h3>
            <ProseBody id={`faq-${id}`} />
          </section>
        ))}
      </Section>
      <Sources sources={sources} reviewed={reviewed} estimates={estimates} />
      <CallToAction
        title="Ihre Frage war nicht dabei?"
        text="Einzelheiten besprechen Sie mit dem Fachbetrieb, am Telefon oder vor Ort."
      />
    </div>
  );
}
