import { useEffect } from "react";
import { Navigate, useLocation } from "../routing/router.ts";
import type { StaticPage } from "../static/page.ts";
import { StaticPart } from "../static/static-part.tsx";
import { WithPage } from "../static/with-page.tsx";

/** Every page without a form, not-found pages included. Only the server knows which pages exist. */
export function StaticScreen() {
  return <WithPage>{(page) => <Content key={page.path} page={page} />}</WithPage>;
}

function Content({ page }: { page: StaticPage }) {
  const { pathname, search, hash } = useLocation();
  useEffect(() => {
    if (page.isUnknownRoute) console.error(`404: there is no route for ${pathname}`);
  }, [page, pathname]);
  return (
    <>
      {page.path !== pathname && <Navigate replace to={page.path + search + hash} />}
      <StaticPart html={page.html} />
    </>
  );
}
