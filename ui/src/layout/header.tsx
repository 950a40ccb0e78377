import { useEffect, useEffectEvent, useId, useRef, useState, type FocusEvent } from "react";
import { ChatLink } from "../chat/chat-link.tsx";
import { Link, useLocation } from "../routing/router.ts";
import { IfSetting, useText } from "../settings/context.tsx";
import { Brand } from "./brand.tsx";
import { NavLink } from "./nav-link.tsx";
import { headerLinks } from "./navigation.ts";

/** Pixels of scrolling after which the header turns opaque. */
const OPAQUE_AFTER = 10;

/** Renders the header of every page. On narrow screens its links fold into a menu. */
export function Header() {
  const siteName = useText("name");
  const isScrolled = useIsScrolled();
  const [isOpen, setOpen] = useMenu();
  const menuId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  const dismiss = () => {
    close();
    button.current?.focus();
  };
  useEscape(isOpen, dismiss);
  const closeWhenLeft = ({ relatedTarget, currentTarget }: FocusEvent) => {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) close();
  };

  return (
    // Keyboards close the menu by Escape: see `useEscape`.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <header
      className="header"
      data-scrolled={isScrolled}
      data-open={isOpen}
      onBlur={closeWhenLeft}
      // The shade around an open menu belongs to the header, so a tap on it has the header as its target.
      onClick={(event) => isOpen && event.target === event.currentTarget && dismiss()}
    >
      <div className="header-bar layout-wrap">
        <Link className="brand" to="/" onClick={close}>
          <Brand name={siteName} />
        </Link>
        <IfSetting name="links.chat">
          <ChatLink id="header-chat" className="chat-header" />
        </IfSetting>
        <button
          className="header-menu-button"
          data-needs-script=""
          ref={button}
          type="button"
          aria-expanded={isOpen}
          aria-controls={menuId}
          aria-label={isOpen ? "Menü schließen" : "Menü öffnen"}
          onClick={() => setOpen(!isOpen)}
        >
          <MenuIcon isOpen={isOpen} />
        </button>
        <nav className="header-menu" id={menuId} aria-label="Hauptmenü">
          <ul>
            {headerLinks.map((link) => (
              <li key={link.to}>
                <NavLink link={link} onNavigate={close} />
              </li>
            ))}
          </ul>
          <Link className="button button-small" to="/fragebogen" onClick={close}>
            Angebot anfordern
          </Link>
        </nav>
      </div>
    </header>
  );
}

function MenuIcon({ isOpen }: { isOpen: boolean }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={isOpen ? "M5 5l14 14M19 5L5 19" : "M3 6h18M3 12h18M3 18h18"} />
    </svg>
  );
}

/** Holds whether the menu is open. It closes on every navigation, such as with the back button. */
function useMenu() {
  const { key } = useLocation();
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  // Forgotten on the way, or going forward again would open it again.
  if (openedAt !== null && openedAt !== key) setOpenedAt(null);
  const setOpen = (isOpen: boolean) => setOpenedAt(isOpen ? key : null);
  return [openedAt === key, setOpen] as const;
}

function useIsScrolled(): boolean {
  const [isScrolled, setScrolled] = useState(false);
  useEffect(() => {
    const look = () => setScrolled(window.scrollY > OPAQUE_AFTER);
    look();
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, []);
  return isScrolled;
}

function useEscape(isActive: boolean, onEscape: () => void): void {
  const escape = useEffectEvent(onEscape);
  useEffect(() => {
    if (!isActive) return undefined;
    const listen = (event: KeyboardEvent) => {
      if (event.key === "Escape") escape();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [isActive]);
}
