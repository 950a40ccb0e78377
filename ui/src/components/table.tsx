import type { ComponentProps } from "react";

interface Props extends ComponentProps<"table"> {
  /** What screen readers call the part of the page that scrolls; texts take it from the heading above. */
  label?: string;
}

/** A table that scrolls in itself on small screens; keyboards reach it because it takes the focus. */
export function Table({ label = "Tabelle", ...table }: Props) {
  return (
    <div className="table-scroll" role="region" aria-label={label} tabIndex={0}>
      <table {...table} />
    </div>
  );
}
