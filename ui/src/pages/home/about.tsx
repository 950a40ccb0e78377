import { Claim, ClaimFigure, type ClaimName } from "../../template/claim.tsx";
import { Vetted } from "../../template/settings.tsx";
import { If } from "../../template/template.tsx";
import { DrawingImage } from "../../drawings/drawing-image.tsx";
import { SectionHeading } from "../../components/section.tsx";
import home from "../../../generated/home.json" with { type: "json" };

/** The claims that are figures, in display order. */
const FIGURES: ClaimName[] = ["experience", "customers", "projects", "satisfied", "rating"];

/** Shows who is behind the site: with a drawing, in words, and with figures along a rule. */
export function About() {
  const { title, lead, paragraphs, plain_opening } = home.about;
  const [opening, ...others] = paragraphs;
  return (
    <section className="home-section" id="about-us" aria-labelledby="about-us-title">
      <div className="layout-wrap">
        <div className="about columns">
          <DrawingImage name="scenes/office" />
          <div className="about-text">
            <SectionHeading id="about-us-title" title={title} lead={lead} />
            <p>
              <Vetted otherwise={plain_opening}>{opening}</Vetted> <Claim name="checked" /> <Claim name="welfare" />
            </p>
            {others.map((paragraph) => (
              <p key={paragraph} data-above="4">
                {paragraph}
              </p>
            ))}
          </div>
        </div>
        <dl className="about-figures">
          {FIGURES.map((name) => (
            <ClaimFigure key={name} name={name} />
          ))}
        </dl>
        <If test="site.sample">
          <p className="hint" data-above="4">
            Beispiel: Diese Angaben sind erfunden und zeigen, wie Zahlen hier aussehen.
          </p>
        </If>
      </div>
    </section>
  );
}
