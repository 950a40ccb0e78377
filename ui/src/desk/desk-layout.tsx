import type { ReactNode } from "react";
import { Brand } from "../layout/brand.tsx";
import { useText } from "../settings/context.tsx";

/** The pages that the navigation leads to, in the order of a working day. */
const SECTIONS = [
  ["/posteingang", "Posteingang"],
  ["/betriebe", "Betriebe"],
  ["/abrechnung", "Abrechnung"],
  ["/bewertungen", "Bewertungen"],
  ["/bericht", "Bericht"],
  ["/zustand", "Zustand"],
] as const;

export type Section = (typeof SECTIONS)[number][0];

/** Renders what all pages of the desk have around their content; without a section nobody is logged in, or the page is none of them. */
export function DeskLayout({ section, children }: { section: Section | null; children: ReactNode }) {
  const name = useText("name");
  return (
    <>
      <a className="skip-link" href="#inhalt">
        Zum Inhalt springen
      </a>
      <header className="header desk-header">
        <div className="header-bar layout-wrap">
          <a className="brand" href="/posteingang">
            <Brand name={name} />
          </a>
          {section && (
            <form method="post" action="/abmelden">
              <button className="button-quiet button-small" type="submit">
                Abmelden
              </button>
            </form>
          )}
        </div>
        {section && (
          <nav className="layout-wrap" aria-label="Hauptmenü">
            <ul className="desk-nav">
              {SECTIONS.map(([path, label]) => (
                <li key={path}>
                  <a href={path} {...(path === section && { "aria-current": "page" as const })}>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </header>
      <main id="inhalt" tabIndex={-1}>
        <div className="layout-wrap layout-page desk-page">{children}</div>
      </main>
    </>
  );
}
