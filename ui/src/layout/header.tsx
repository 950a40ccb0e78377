import { ChatLink } from "../enhancements/chat/chat-link.tsx";
import { IfSetting, useText } from "../template/settings.tsx";
import { Brand } from "./brand.tsx";
import { HeaderLinks, NavLink } from "./nav-link.tsx";

const MENU = "header-menu";

/**
 * Renders the header of every page. On narrow screens its links fold into a popover, which needs no script. On the
 * questionnaire nothing in it competes with the form.
 */
export function Header({ path }: { path: string }) {
  const siteName = useText("name");
  return (
    <header className={path === "/fragebogen" ? "header header-quiet" : "header"}>
      <div className="header-bar layout-wrap">
        <a className="brand" href="/">
          <Brand name={siteName} />
        </a>
        <IfSetting name="links.chat">
          <ChatLink />
        </IfSetting>
        <button className="header-menu-button button-icon" type="button" popoverTarget={MENU} aria-label="Menü öffnen">
          <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
            <path d="M3 6h18M3 12h18M3 18h18" />
          </svg>
        </button>
        <nav className="header-menu" id={MENU} popover="auto" aria-label="Hauptmenü">
          {/* Inside the popover: browsers mark outside buttons as expanded, which would contradict this one's name. */}
          <button
            className="header-menu-button header-menu-close button-icon"
            type="button"
            popoverTarget={MENU}
            popoverTargetAction="hide"
            aria-label="Menü schließen"
            autoFocus
          >
            <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
              <path d="M5 5l14 14M19 5L5 19" />
            </svg>
          </button>
          <ul>
            <HeaderLinks path={path} />
            <NavLink to="/faq" label="FAQ" isCurrent={path === "/faq"} />
          </ul>
          <a className="button button-small" href="/fragebogen">
            Angebot anfordern
          </a>
        </nav>
      </div>
    </header>
  );
}
