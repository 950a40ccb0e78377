import { useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "./router.ts";

/**
 * After a client navigation the focus goes to the new page's heading and its title is announced, as a
 * browser does by itself when it loads a page.
 */
export function RouteAnnouncer() {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  const [title, setTitle] = useState("");

  // Not after the page has faded in: what is pressed meanwhile belongs to the new page.
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

/** Calls back with the page's heading, at once or when the page's code has arrived. Answers how to stop waiting. */
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
