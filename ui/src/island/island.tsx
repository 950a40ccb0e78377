import type { ReactNode } from "react";

/** The pages that hold an island. */
export type IslandPage = "/fragebogen" | "/danke" | "/cookie-einstellungen";

interface Props {
  /** The path of the page, from which the island's script knows what to render. */
  page: IslandPage;
  /** What the page shows until the script has come, and without JavaScript. */
  children: ReactNode;
}

/** The part of a page that is code in the browser: `mount.tsx` renders into it. */
export function Island({ page, children }: Props) {
  return <div data-island={page}>{children}</div>;
}
