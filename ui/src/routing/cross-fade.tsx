import { useLayoutEffect, ViewTransition } from "react";
import { useLocation } from "./router.ts";

/**
 * Lets the browser cross-fade from page to page (`routing/cross-fade.css`). React starts a view transition whenever
 * this boundary is replaced, that is on a new path; the page itself is not part of the boundary, so that all that is on
 * the screen fades where it stands, at the old and at the new scroll position.
 */
export function CrossFade() {
  useLayoutEffect(() => {
    // React leaves the root out of a transition, unless it carries a name that was given here.
    document.documentElement.style.setProperty("view-transition-name", "root");
  }, []);
  return (
    <ViewTransition key={useLocation().pathname} default="none">
      {null}
    </ViewTransition>
  );
}
