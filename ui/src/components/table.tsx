import type { ComponentProps } from "react";

interface Props extends ComponentProps<"table"> {
  /** The name of the scrollable region for screen readers. In texts it comes from the heading above. */
  label?: string;
}

/** Renders a table that scrolls sideways on small screens, also by keyboard: see `enhancements/table.ts`. */
export function Table({ label = "Tabelle", ...table }: Props) {
  return (
    <div className="table-scroll" role="region" aria-label={label} tabIndex={0} data-enhancement="table">
      <table {...table} />
    </div>
  );
}

export function TableHead({ columns }: { columns: readonly string[] }) {
  return (
    <thead>
      <tr>
        {columns.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}
