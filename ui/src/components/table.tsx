import type { ComponentProps } from "react";

interface Props extends ComponentProps<"table"> {
  /** The name of the scrollable region for screen readers. In texts it comes from the heading above. */
  label?: string;
}

/** Renders a table that scrolls sideways on small screens. It is focusable, so that the keyboard can scroll it. */
export function Table({ label = "Tabelle", ...table }: Props) {
  return (
    <div className="table-scroll" role="region" aria-label={label} tabIndex={0}>
      <table {...table} />
    </div>
  );
}
