import type { ReactNode } from "react";
import { If } from "../template/template.tsx";

/** Browsers focus it when the page is loaded, with or without scripts. */
const FOCUSED = { tabIndex: -1, autoFocus: true } as const;

/** Says what was just done. It takes the focus, since screen readers announce no region that is there when the page loads. */
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

/** Says at the top why nothing was stored: screen readers announce it, and continue from it. */
export function ErrorSummary({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="error-summary measure" role="alert" {...FOCUSED}>
      <h2 className="minor">{title}</h2>
      {children}
    </div>
  );
}

/** Leads from an error summary to a field. */
export function ErrorLink({ field, children }: { field: string; children: ReactNode }) {
  return (
    <li>
      <a className="strong" href={`#${field}`}>
        {children}
      </a>
    </li>
  );
}
