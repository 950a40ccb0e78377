import { Branch, Choose, slot } from "../template/template.tsx";

/** The periods of figures, each with its query and the condition on which it is shown. */
export const PERIODS = [
  ["Dieser Monat", `since=${slot("month")}`, "since == month"],
  ["Letzter Monat", `since=${slot("last_month")}&until=${slot("month")}`, "until == month"],
  ["Dieses Jahr", `since=${slot("year")}`, "since == year"],
  ["Alles", "", "not since and not until"],
] as const;

/** For pages written by commands, which have no link back to the desk. */
export const NEW_TAB = { target: "_blank", rel: "noopener" } as const;

/** Shows a state with its colour. */
export function Badge({ state, names }: { state: string; names: Readonly<Record<string, string>> }) {
  return (
    <span className="desk-badge" data-state={slot(state)}>
      <Named value={state} names={names} />
    </span>
  );
}

/** A view of a page: its name, its address, and the condition on which it is current. */
export type View = readonly [name: string, href: string, test: string];

/** Links to the views of a page, and marks the current one. */
export function Views({ label, views }: { label: string; views: readonly View[] }) {
  return (
    <nav aria-label={label}>
      <ul className="desk-states cluster" data-gap="line" data-above="4" data-below="4">
        {views.map(([name, href, test]) => (
          <li key={name}>
            <Branch
              test={test}
              render={(isCurrent) => (
                <a className="small touch" href={href} aria-current={isCurrent ? "page" : undefined}>
                  {name}
                </a>
              )}
            />
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Date fields by name, each with its label. */
export function Days({ labels, min }: { labels: Readonly<Record<string, string>>; min?: string }) {
  return Object.entries(labels).map(([name, label]) => (
    <label key={name} className="field-label">
      {label}
      <input className="field-input" name={name} type="date" min={min} />
    </label>
  ));
}

/** Renders the German name of a command's word, or the word itself if it has none. */
export function Named({ value, names }: { value: string; names: Readonly<Record<string, string>> }) {
  const cases = Object.entries(names).map(([word, name]) => [`${value} == "${word}"`, name]);
  return <Choose cases={Object.fromEntries(cases)} otherwise={slot(value)} />;
}
