import type { ReactNode } from "react";
import { If } from "../template/template.tsx";

/** The browser itself focuses it on load, with or without scripts. */
const FOCUSED = { tabIndex: -1, autoFocus: true } as const;

/** Confirms what was just done. It takes the focus, because screen readers ignore live regions that are there on load. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <p className="bar" data-tone="good" data-below="5" role="status" {...FOCUSED}>
      {children}
    </p>
  );
}

/** Shows the notice that the address names, if any. */
export function Notices({ texts }: { texts: Readonly<Record<string, ReactNode>> }) {
  return Object.entries(texts).map(([word, text]) => (
    <If key={word} test={`notice == "${word}"`}>
      <Notice>{text}</Notice>
    </If>
  ));
}

/** Explains at the top why nothing was stored. Screen readers announce it, and continue from there. */
export function ErrorSummary({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="error-summary measure" role="alert" {...FOCUSED}>
      <h2 className="minor">{title}</h2>
      {children}
    </div>
  );
}

/** Links from an error summary to a field. */
export function ErrorLink({ field, children }: { field: string; children: ReactNode }) {
  return (
    <li>
      <a className="strong" href={`#${field}`}>
        {children}
      </a>
    </li>
  );
}
