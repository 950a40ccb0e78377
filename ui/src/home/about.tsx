import { SectionHeading } from "./section-heading.tsx";
import { home } from "./texts.ts";

/** Who stands behind the site, in words and figures. */
export function About() {
  const { title, lead, paragraphs } = home.about;
  return (
    <section className="section" id="about-us" aria-labelledby="about-us-title">
      <div className="wrap about">
        <div>
          <SectionHeading id="about-us-title" title={title} lead={lead} />
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
        <dl className="figures">
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
