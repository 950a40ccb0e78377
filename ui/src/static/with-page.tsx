import type { ReactNode } from "react";
import { LoadFromServer } from "./load-from-server.tsx";
import type { StaticPage } from "./page.ts";
import { StaticHead } from "./static-head.tsx";
import { usePage } from "./use-page.ts";

/** Renders children with the static page of the open path, and that page's head. */
export function WithPage({ children }: { children: (page: StaticPage) => ReactNode }) {
  const page = usePage();
  if (!page) return <LoadFromServer />;
  return (
    <>
      <StaticHead page={page} />
      {children(page)}
    </>
  );
}
