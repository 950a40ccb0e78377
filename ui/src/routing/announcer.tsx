import { useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "./router.ts";

/**
 * After a client navigation, focuses the new page's heading and announces its title. A browser does so by itself when
 * it loads a page.
 */
export function RouteAnnouncer() {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  const [title, setTitle] = useState("");

  // A layout effect, because keys that are pressed while the page fades in are meant for the new page.
  useLayoutEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    return whenHeadingStands((heading) => {
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
      setTitle(document.title);
    });
  }, [pathname]);

  return (
    <p className="visually-hidden" aria-live="polite">
      {title}
    </p>
  );
}

/** Calls back with the page's heading, at once or when the page's code has loaded. Returns a function that stops it. */
function whenHeadingStands(callback: (heading: HTMLElement) => void): () => void {
  const find = () => document.querySelector<HTMLElement>("main h1");
  const heading = find();
  if (heading) callback(heading);
  const observer = new MutationObserver(() => {
    const arrived = find();
    if (!arrived) return;
    observer.disconnect();
    callback(arrived);
  });
  if (!heading) observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}
