import type { ReactNode } from "react";
import { Stars } from "../../components/stars.tsx";

/**
 * Renders a row of slides that can be scrolled. `enhancements/carousel.ts` makes it a carousel; without JavaScript the
 * slides are below each other.
 */
export function Carousel({ children, controls }: { children: ReactNode; controls: ReactNode }) {
  return (
    <div
      className="carousel"
      data-enhancement="carousel"
      role="region"
      aria-roledescription="Karussell"
      aria-label="Referenzen"
    >
      <div className="carousel-track" role="group" aria-label="Seitlich zu blättern" tabIndex={0}>
        {children}
      </div>
      {controls}
    </div>
  );
}

/** Renders a slide. Its position is such as `1 von 3`. */
export function Slide({ position, children }: { position: string; children: ReactNode }) {
  return (
    <div className="carousel-slide" role="group" aria-roledescription="Referenz" aria-label={position}>
      {children}
    </div>
  );
}

/** A testimonial: name, stars and text. */
export function Quote({
  name,
  initials,
  position,
  children,
}: {
  name: string;
  initials: string;
  position: string;
  children: ReactNode;
}) {
  return (
    <figure className="testimonial">
      <figcaption>
        <strong>{name}</strong>
        <span className="hint">{position}</span>
      </figcaption>
      <span className="testimonial-initials" aria-hidden="true" data-initials={initials} />
      <div className="testimonial-words">{children}</div>
    </figure>
  );
}

interface TestimonialProps {
  name: string;
  position: string;
  project_type: string;
  rating: number;
  content: string;
}

/** Renders an invented report. */
export function Testimonial({ name, position, project_type, rating, content }: TestimonialProps) {
  return (
    <Quote name={name} initials={initialsOf(name)} position={position}>
      <Stars rating={rating} />
      <blockquote>
        <p>{content}</p>
      </blockquote>
      <p className="testimonial-project hint">
        <span>Projekt</span> {project_type}
      </p>
    </Quote>
  );
}

/**
 * Renders the controls, with a button for each slide. They are invisible until the script runs, and take their space from
 * the start, so that nothing moves.
 */
export function Controls({ children }: { children: ReactNode }) {
  return (
    <div className="carousel-controls">
      <ArrowButton step={-1} label="Vorherige Referenz" arrow="M15 5l-7 7 7 7" />
      <div className="carousel-dots">{children}</div>
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
