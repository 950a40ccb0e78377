import { use, useContext } from "react";
import { useLocation } from "../routing/router.ts";
import { type Found, PagesContext } from "./pages.ts";

/** The static page of the path that is open. Suspends while it is on its way; the screen before it stays until then. */
export function usePage(): Found {
  const pages = useContext(PagesContext);
  const found = pages.get(useLocation().pathname);
  return found instanceof Promise ? use(found) : found;
}
