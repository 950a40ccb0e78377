import type { ReactNode } from "react";

/**
 * Renders a row of slides that scrolls. `enhancements/carousel.ts` makes it a carousel; without JavaScript the slides are
 * below each other.
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

/**
 * Renders the controls, with a button for each slide. They stay invisible until the script runs, but take up their space
 * from the start, so that nothing moves.
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

/** A button that shows a slide. */
export function Dot({
  index,
  number,
  isCurrent,
}: Record<"index" | "number", number | string> & { isCurrent: boolean }) {
  return (
    <button
      type="button"
      className="button-icon"
      data-carousel-dot={index}
      aria-label={`Referenz ${number} anzeigen`}
      aria-current={isCurrent ? "true" : undefined}
    />
  );
}

function ArrowButton({ step, label, arrow }: { step: 1 | -1; label: string; arrow: string }) {
  return (
    <button
      type="button"
      className="carousel-button button-icon"
      data-carousel-step={step}
      aria-label={label}
      data-tooltip={label}
    >
      <svg className="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
        <path d={arrow} />
      </svg>
    </button>
  );
}
