import { DrawingImage } from "../../drawings/drawing-image.tsx";
import { SectionHeading } from "../../components/section.tsx";
import home from "../../../generated/home.json" with { type: "json" };

/** Shows the way from the inquiry to an order: a street on which the same house appears three times. */
export function HowItWorks() {
  const { title, lead } = home.how_it_works;
  return (
    <section className="home-section" id="how-it-works" aria-labelledby="how-it-works-title">
      <div className="layout-wrap">
        <SectionHeading id="how-it-works-title" title={title} lead={lead} />
        <ol className="how-it-works-steps">
          {home.steps.map(({ drawing, title, text }, index) => (
            <li key={title}>
              <DrawingImage name={drawing} className="how-it-works-drawing" />
              <div className="how-it-works-text">
                <h3>{index === 0 ? <a href="/fragebogen">{title}</a> : title}</h3>
                <p>{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
