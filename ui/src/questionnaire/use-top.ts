import { useEffect, useLayoutEffect, useRef } from "react";

/** Scrolls to the top when the query changes: each step is a page of its own to the visitor. */
export function useTop(search: string): void {
  const shown = useRef(search);

  useLayoutEffect(() => {
    if (shown.current !== search) window.scrollTo({ top: 0, behavior: "instant" });
    shown.current = search;
  }, [search]);

  // Restoring the scroll position is wrong between steps and right on reload.
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
