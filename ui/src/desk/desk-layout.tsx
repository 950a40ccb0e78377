import type { ReactNode } from "react";
import { If } from "../template/template.tsx";
import { Brand } from "../layout/brand.tsx";
import { useText } from "../template/settings.tsx";
import { PostButton } from "../components/submit.tsx";

/** The pages in the navigation, in the order of a working day. */
const SECTIONS = [
  ["/posteingang", "Posteingang"],
  ["/betriebe", "Betriebe"],
  ["/abrechnung", "Abrechnung"],
  ["/bewertungen", "Bewertungen"],
  ["/bericht", "Bericht"],
  ["/zustand", "Zustand"],
] as const;

export type Section = (typeof SECTIONS)[number][0];

interface LayoutProps {
  /** The page's section in the navigation, if any. */
  section?: Section | undefined;
  /** The condition on which the reader is logged in, if not everyone is. */
  loggedIn?: string | undefined;
  children: ReactNode;
}

/** Renders the frame of every page of the desk. */
export function DeskLayout({ section, loggedIn, children }: LayoutProps) {
  const name = useText("name");
  const shown = (part: ReactNode) => (section ? part : loggedIn && <If test={loggedIn}>{part}</If>);
  return (
    <>
      <a className="skip-link" href="#inhalt">
        Zum Inhalt springen
      </a>
      <header className="header">
        <div className="header-bar layout-wrap">
          <a className="brand" href="/posteingang">
            <Brand name={name} />
          </a>
          {shown(
            <PostButton action="/abmelden" look="button-quiet button-small">
              Abmelden
            </PostButton>,
          )}
        </div>
        {shown(
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
          </nav>,
        )}
      </header>
      <main id="inhalt" tabIndex={-1}>
        <div className="layout-wrap layout-page desk-page">{children}</div>
      </main>
    </>
  );
}
