import { useContext, useEffect, useLayoutEffect } from "react";
import { needsForms, preloadForms } from "../chunks/chunks.ts";
import { type Pages, PagesContext } from "../static/pages.ts";
import { isServersOwn } from "../routing/link-target.ts";
import { useLocation } from "../routing/router.ts";
import { whenSeen } from "./visible-links.ts";

/** Milliseconds before visible links are considered: a visitor who stays that long reads on, and then clicks. */
const STAY_MS = 2_000;

/**
 * Loads what a link's page needs as soon as the link is pointed at, touched or focused, and for a few links that are
 * visible. When the visitor goes back, the page stays until the one before has loaded.
 */
export function usePreloading(): void {
  const pages = useContext(PagesContext);
  const { pathname } = useLocation();

  useEffect(() => {
    const look = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest("a") : null;
      if (link) preload(link, pages);
    };
    document.addEventListener("pointerover", look);
    document.addEventListener("focusin", look);
    return () => {
      document.removeEventListener("pointerover", look);
      document.removeEventListener("focusin", look);
    };
  }, [pages]);

  useEffect(() => {
    let stop = () => {};
    const timer = setTimeout(() => {
      stop = whenSeen((link) => preload(link, pages));
    }, STAY_MS);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [pages, pathname]);

  // React renders a popstate synchronously and would show the loading message.
  useLayoutEffect(() => {
    const hold = (event: Event) => {
      const coming = event.isTrusted && load(window.location.pathname, pages);
      if (!coming) return;
      event.stopImmediatePropagation();
      void coming.then(() => window.dispatchEvent(new PopStateEvent("popstate", { state: window.history.state })));
    };
    window.addEventListener("popstate", hold, true);
    return () => window.removeEventListener("popstate", hold, true);
  }, [pages]);
}

function preload(link: HTMLAnchorElement, pages: Pages): void {
  if (link.origin === window.location.origin && !isServersOwn(link.pathname)) void load(link.pathname, pages);
}

/** Loads a page. Returns undefined if it is at hand, as the questionnaire always is: it is all code. */
function load(path: string, pages: Pages): Promise<void> | undefined {
  if (needsForms(path)) preloadForms();
  return path === "/fragebogen" ? undefined : pages.prefetch(path);
}
