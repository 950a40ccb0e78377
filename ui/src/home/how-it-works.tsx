import { Link } from "../routing/router.ts";
import { SectionHeading } from "./section-heading.tsx";
import { home } from "./texts.ts";

/** The way from the inquiry to an order. */
export function HowItWorks() {
  const { title, lead } = home.how_it_works;
  return (
    <section className="section" id="how-it-works" aria-labelledby="how-it-works-title">
      <div className="wrap">
        <SectionHeading id="how-it-works-title" title={title} lead={lead} />
        <ol className="steps">
          {home.steps.map((step, index) => (
            <li key={step.title}>
              <h3>{index === 0 ? <Link to="/fragebogen">{step.title}</Link> : step.title}</h3>
              <p>{step.text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
