import { useLayoutEffect, ViewTransition } from "react";
import { useHydrated } from "../inquiry/use-hydrated.ts";
import { useLocation } from "./router.ts";

/**
 * Lets the browser cross-fade from page to page (`routing/cross-fade.css`), where motion is welcome. React starts a view
 * transition whenever this boundary is replaced, that is on a new path; the page itself is not part of the boundary, so
 * that all that is on the screen fades where it stands, at the old and at the new scroll position.
 */
export function CrossFade() {
  const { pathname } = useLocation();
  const fades = useHydrated() && !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  useLayoutEffect(() => {
    // React leaves the root out of a transition, unless it carries a name that was given here.
    document.documentElement.style.setProperty("view-transition-name", "root");
  }, []);
  return (
    <ViewTransition key={fades ? pathname : ""} default="none">
      {null}
    </ViewTransition>
  );
}
