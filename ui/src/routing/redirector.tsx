import { useEffect, type ReactNode } from "react";
import { redirectFor } from "./redirects.ts";
import { Navigate, useLocation } from "./router.ts";

/** Renders its children unless the path redirects; a redirect keeps the query. */
export function Redirector({ children }: { children: ReactNode }) {
  const { pathname, search, hash } = useLocation();
  const redirect = redirectFor(pathname);
  if (redirect?.by === "browser") return <ReplaceInBrowser address={redirect.to + search} />;
  if (redirect) return <Navigate replace to={redirect.to + search + hash} />;
  return children;
}

function ReplaceInBrowser({ address }: { address: string }) {
  useEffect(() => window.location.replace(address), [address]);
  return null;
}
