import type { ReactNode } from "react";
import { Brand } from "../layout/brand.tsx";
import { Footer } from "../layout/footer.tsx";
import { IfSetting, useText } from "../template/settings.tsx";

/**
 * Renders the frame of private pages. They load no script, so the header has no menu, and nothing in it leads a visitor
 * away from the page's subject.
 */
export function PrivateLayout({ children }: { children: ReactNode }) {
  const name = useText("name");
  const phone = useText("operator.phone");
  const phoneLink = useText("operator.phone_link");
  return (
    <>
      <a className="skip-link" href="#inhalt">
        Zum Inhalt springen
      </a>
      <header className="header">
        <div className="header-bar layout-wrap">
          <a className="brand" href="/">
            <Brand name={name} />
          </a>
          <IfSetting name="operator.phone">
            <a className="private-page-phone touch" href={phoneLink}>
              <span className="private-page-phone-short">Anrufen</span>
              <span className="private-page-phone-long">Fragen? {phone}</span>
            </a>
          </IfSetting>
        </div>
      </header>
      <main id="inhalt" tabIndex={-1}>
        <div className="layout-wrap layout-page private-page">{children}</div>
      </main>
      <Footer path="" />
    </>
  );
}
