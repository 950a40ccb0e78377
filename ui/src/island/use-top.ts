import { useEffect, useLayoutEffect } from "react";
import { useLocation } from "react-router";

/** The address that is shown. It outlives the screens, of which the next one takes the place of the one before. */
let shown = "";

/** Scrolls to the top when path or query change: each step is a page of its own to the visitor. */
export function useTop(): void {
  const { pathname, search } = useLocation();

  useLayoutEffect(() => {
    const address = pathname + search;
    if (shown !== "" && shown !== address) window.scrollTo({ top: 0, behavior: "instant" });
    shown = address;
  }, [pathname, search]);

  // The browser would restore the position of a step that the visitor goes back to, but is right to on a reload.
  useEffect(() => {
    const { history } = window;
    const take = () => {
      history.scrollRestoration = "manual";
    };
    const release = () => {
      history.scrollRestoration = "auto";
    };
    take();
    window.addEventListener("pageshow", take);
    window.addEventListener("pagehide", release);
    return () => {
      window.removeEventListener("pageshow", take);
      window.removeEventListener("pagehide", release);
    };
  }, []);
}
