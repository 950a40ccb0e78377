import type { ReactNode } from "react";
import { InlineScript } from "../inline/inline-script.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";

/** Renders the frame that all pages share. `path` is the current page's. */
export function Layout({ path, children }: { path: string; children: ReactNode }) {
  return (
    <>
      <InlineScript name="failed" />
      <a className="skip-link" href="#inhalt">
        Zum Inhalt springen
      </a>
      {/* The cookie banner appears here (`enhancements/consent/banner.ts`), and screen readers announce it. */}
      <div aria-live="polite" data-banner="" />
      <Header path={path} />
      <main id="inhalt" tabIndex={-1}>
        {children}
      </main>
      <Footer path={path} />
      <ToastRegion />
    </>
  );
}

/**
 * Toasts appear here (`enhancements/toast/toaster.ts`). The region for information is on the page from the start, because
 * screen readers only announce changes to live regions that they know. It has role=status itself: a status inside a live
 * region could be read twice. Errors need no region, because an element with role=alert is read when it appears.
 */
function ToastRegion() {
  return (
    <div className="toaster screen-only">
      <div />
      <div role="status" aria-live="polite" aria-atomic="false" aria-relevant="additions" />
    </div>
  );
}
