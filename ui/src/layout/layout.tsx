import type { ReactNode } from "react";
import { InlineScript } from "../inline/inline-script.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";

/** Renders what all pages have in common around their content. `path` is the page's own. */
export function Layout({ path, children }: { path: string; children: ReactNode }) {
  return (
    <>
      <InlineScript name="failed" />
      <a className="skip-link" href="#inhalt">
        Zum Inhalt springen
      </a>
      {/* Where the cookie banner appears (`enhancements/consent/banner.ts`): a screen reader reads what is added to it. */}
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
 * Where toasts appear (`enhancements/toast/toaster.ts`). The region for information is on the page from the start, because screen
 * readers read only what is added to a live region that they know. It has role=status itself: a status inside a live
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
