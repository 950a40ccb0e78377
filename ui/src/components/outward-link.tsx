import type { ReactNode } from "react";

/** A link to another site. Its corner and its title announce that. */
export function OutwardLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className="outward-link" href={href} rel="external noopener" title={`Externe Seite: ${hostOf(href)}`}>
      {children}
    </a>
  );
}

/** Returns the name by which people know a site. */
export function hostOf(href: string): string {
  return new URL(href).host.replace(/^www\./, "");
}
