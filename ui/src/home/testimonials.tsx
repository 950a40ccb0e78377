import { SectionHeading } from "../components/section-heading.tsx";
import { IfSetting } from "../settings/context.tsx";
import { Stars } from "./stars.tsx";
import { home } from "./texts.ts";

/**
 * Shows what clients report, in a row that can be scrolled. `enhancements/carousel.ts` makes it a
 * carousel; without JavaScript the entries stand below each other. They are invented: only the sample operator shows them.
 */
export function Testimonials() {
  const { title, lead } = home.testimonials;
  const count = home.testimonial.length;
  return (
    <IfSetting name="sample">
      <section className="home-section home-section-surface" id="testimonials" aria-labelledby="testimonials-title">
        <div className="layout-wrap">
          <SectionHeading id="testimonials-title" title={title} lead={lead} claim="rating_firms" />
          <p className="testimonial-example">
            Beispiele: Diese Berichte sind erfunden und zeigen, wie Referenzen hier aussehen.
          </p>
          <div
            className="carousel"
            data-enhancement="carousel"
            role="region"
            aria-roledescription="Karussell"
            aria-label="Referenzen"
          >
            <div className="carousel-track" role="group" aria-label="Seitlich zu blättern" tabIndex={0}>
              {home.testimonial.map((testimonial, index) => (
                <div
                  className="carousel-slide"
                  key={testimonial.name}
                  role="group"
                  aria-roledescription="Referenz"
                  aria-label={`${index + 1} von ${count}`}
                >
                  <Testimonial testimonial={testimonial} />
                </div>
              ))}
            </div>
            <Controls count={count} />
          </div>
        </div>
      </section>
    </IfSetting>
  );
}

function Testimonial({ testimonial }: { testimonial: (typeof home.testimonial)[number] }) {
  const { name, position, project_type, rating, content } = testimonial;
  return (
    <figure className="testimonial">
      <figcaption>
        <strong>{name}</strong>
        <span>{position}</span>
      </figcaption>
      <span className="testimonial-initials" aria-hidden="true" data-initials={initialsOf(name)} />
      <div className="testimonial-words">
        <Stars rating={rating} />
        <blockquote>
          <p>{content}</p>
        </blockquote>
        <p className="testimonial-project">
          <span>Projekt</span> {project_type}
        </p>
      </div>
    </figure>
  );
}

/**
 * Renders the controls, invisible until the script runs: they take their space from the start, so that nothing moves.
 */
function Controls({ count }: { count: number }) {
  return (
    <div className="carousel-controls">
      <ArrowButton step={-1} label="Vorherige Referenz" arrow="M15 5l-7 7 7 7" />
      <div className="carousel-dots">
        {Array.from({ length: count }, (_, index) => (
          <button
            key={index}
            type="button"
            data-carousel-dot={index}
            aria-label={`Referenz ${index + 1} anzeigen`}
            aria-current={index === 0 ? "true" : undefined}
          />
        ))}
      </div>
      <ArrowButton step={1} label="Nächste Referenz" arrow="M9 5l7 7-7 7" />
      <p className="visually-hidden" aria-live="polite" />
    </div>
  );
}

function ArrowButton({ step, label, arrow }: { step: 1 | -1; label: string; arrow: string }) {
  return (
    <button type="button" className="carousel-button" data-carousel-step={step} aria-label={label} data-tooltip={label}>
      <svg className="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
        <path d={arrow} />
      </svg>
    </button>
  );
}

/** Returns the initials of a name, such as SK for Sabine Krüger. */
function initialsOf(name: string): string {
  return name
    .split(" ")
    .map((word) => word.charAt(0))
    .join("")
    .slice(0, 2);
}
