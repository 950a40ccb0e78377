import { useEffect, useLayoutEffect, useState } from "react";
import { useLocation } from "./router.ts";

/** Milliseconds that a page may take to open before the visitor is told that it is loading. */
const PATIENCE_MS = 300;

/**
 * Shows that a page is loading, if that takes more than a moment. The address changes at once, but the previous page
 * stays until the next one has loaded: that is how a slow navigation shows.
 */
export function NavigationProgress() {
  const { pathname } = useLocation();
  const [isSlow, setSlow] = useState(false);

  // A layout effect, so that it listens before its parent's does: `usePreloading` may stop the event.
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
