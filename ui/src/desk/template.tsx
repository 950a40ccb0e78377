import type { ReactNode } from "react";
import { ANNOUNCED } from "../components/announced.ts";
import { If } from "../components/if.tsx";
import { Choose } from "../private/template.tsx";

/** Returns an expression that the server fills in, escaped for its context; `src/web/desk` has the same names. */
export function put(expression: string): string {
  return `{{ ${expression} }}`;
}

/** Opens what commands write beside the desk: such pages have no way back. */
export const NEW_TAB = { target: "_blank", rel: "noopener" } as const;

/** Lets the server repeat its children for each entry of a list. */
export function Each({ entry, list, children }: { entry: string; list: string; children: ReactNode }) {
  return (
    <>
      {`{% for ${entry} in ${list} %}`}
      {children}
      {"{% endfor %}"}
    </>
  );
}

/** Renders the German name of what commands call by a word; the word itself where it has none. */
export function Named({ value, names }: { value: string; names: Readonly<Record<string, string>> }) {
  const cases = Object.entries(names).map(([word, name]) => [`${value} == "${word}"`, name]);
  return <Choose cases={Object.fromEntries(cases)} otherwise={put(value)} />;
}

/** Says what was just done, by the word that the address has for it. */
export function Notices({ texts }: { texts: Readonly<Record<string, ReactNode>> }) {
  return Object.entries(texts).map(([word, text]) => (
    <If key={word} test={`notice == "${word}"`}>
      <p className="desk-notice" {...ANNOUNCED}>
        {text}
      </p>
    </If>
  ));
}
