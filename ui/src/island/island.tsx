import type { ReactNode } from "react";

/** The pages that hold an island. */
export type IslandPage = "/fragebogen" | "/danke";

type Props = {
  /** The path of the page, from which the island's script knows what to render. */
  readonly page: IslandPage;
} & (
  | { /** What the page shows until the script has come, and without JavaScript. */ readonly children: ReactNode }
  | { /** The same as React has rendered it to be taken over. */ readonly html: string }
);

/** The part of a page that is code in the browser: `mount.tsx` renders into it. */
export function Island({ page, ...content }: Props) {
  if ("html" in content) return <div data-island={page} dangerouslySetInnerHTML={{ __html: content.html }} />;
  return <div data-island={page}>{content.children}</div>;
}
