import { useContext, useEffect } from "react";
import { needsForms, preloadForms } from "../chunks/chunks.ts";
import { isServerFile } from "../static/click-target.ts";
import { PagesContext } from "../static/pages.ts";

/** Loads what a link's page needs as soon as the link is pointed at or reached by keyboard. */
export function usePreloading(): void {
  const pages = useContext(PagesContext);
  useEffect(() => {
    const look = (event: Event) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (link?.origin !== window.location.origin || isServerFile(link.pathname)) return;
      if (needsForms(link.pathname)) preloadForms();
      if (link.pathname !== "/fragebogen") pages.prefetch(link.pathname);
    };
    document.addEventListener("pointerover", look);
    document.addEventListener("focusin", look);
    return () => {
      document.removeEventListener("pointerover", look);
      document.removeEventListener("focusin", look);
    };
  }, [pages]);
}
