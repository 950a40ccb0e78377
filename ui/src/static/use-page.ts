import { use, useContext } from "react";
import { useLocation } from "../routing/router.ts";
import { type Found, PagesContext } from "./pages.ts";

/** Returns the static page of the open path. Suspends while it loads; until then the previous page stays. */
export function usePage(): Found {
  const pages = useContext(PagesContext);
  const found = pages.get(useLocation().pathname);
  return found instanceof Promise ? use(found) : found;
}
