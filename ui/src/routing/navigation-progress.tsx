import { useEffect, useLayoutEffect, useState } from "react";
import { useLocation } from "./router.ts";

/** Milliseconds that a page may take to open before the visitor is told that it is on its way. */
const PATIENCE_MS = 300;

/**
 * Shows that a page is on its way, once it takes longer than a moment. Until it has arrived the page before it stays,
 * while the address has changed already: that is how a slow navigation is told from a quick one.
 */
export function NavigationProgress() {
  const { pathname } = useLocation();
  const [isSlow, setSlow] = useState(false);

  // A layout effect, because a child's runs before its parent's: the preloader of the layout withholds the event.
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setSlow(window.location.pathname !== pathname), PATIENCE_MS);
    };
    document.addEventListener("click", watch);
    window.addEventListener("popstate", watch, true);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("click", watch);
      window.removeEventListener("popstate", watch, true);
    };
  }, [pathname]);

  useEffect(() => () => setSlow(false), [pathname]);

  return (
    <div aria-live="polite">
      {isSlow && (
        <div className="navigation-progress">
          <span className="visually-hidden">Seite wird geladen</span>
        </div>
      )}
    </div>
  );
}
