import { Choose, slot } from "../template/template.tsx";

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
