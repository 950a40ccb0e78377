import type { ReactNode } from "react";
import { ToastRegion } from "../enhancements/toast/toast-region.tsx";
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
