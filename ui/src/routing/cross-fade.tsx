import { useLayoutEffect, ViewTransition } from "react";
import { useHydrated } from "../browser/use-hydrated.ts";
import { useLocation } from "./router.ts";

/**
 * Makes the browser cross-fade from page to page (`routing/cross-fade.css`), unless reduced motion is preferred. React
 * starts a view transition whenever this boundary is replaced, which is on every new path. The page itself is outside
 * the boundary, so that everything on the screen fades in place, at the old and at the new scroll position.
 */
export function CrossFade() {
  const { pathname } = useLocation();
  const fades = useHydrated() && !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  useLayoutEffect(() => {
    // React leaves the root out of a transition unless it has a name.
    document.documentElement.style.setProperty("view-transition-name", "root");
  }, []);
  return (
    <ViewTransition key={fades ? pathname : ""} default="none">
      {null}
    </ViewTransition>
  );
}
