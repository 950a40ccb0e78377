import { SpriteDrawing } from "../drawings/sprite.tsx";
import { SectionHeading } from "../components/section-heading.tsx";
import { home } from "./texts.ts";

/** Shows who is behind the site: in a drawing, in words, and in figures along a rule. */
export function About() {
  const { title, lead, paragraphs } = home.about;
  return (
    <section className="home-section" id="about-us" aria-labelledby="about-us-title">
      <div className="layout-wrap">
        <div className="about">
          <SpriteDrawing name="scenes/office" className="about-drawing" />
          <div className="about-text">
            <SectionHeading id="about-us-title" title={title} lead={lead} />
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
        </div>
        <dl className="about-figures">
          {home.figures.map(({ value, label }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
