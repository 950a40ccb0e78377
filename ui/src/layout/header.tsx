import { useEffect, useId, useState } from "react";
import { Link } from "../routing/router.ts";
import { useText } from "../settings/context.tsx";
import { Brand } from "./brand.tsx";
import { NavLink } from "./nav-link.tsx";
import { headerLinks } from "./navigation.ts";

/** Pixels of scrolling after which the header turns opaque. */
const OPAQUE_AFTER = 10;

/** The header of every page; below 768 px its links fold into a menu. */
export function Header() {
  const siteName = useText("name");
  const isScrolled = useIsScrolled();
  const [isOpen, setOpen] = useState(false);
  const menuId = useId();
  const close = () => setOpen(false);
  useEscape(isOpen, close);

  return (
    <header className="header" data-scrolled={isScrolled} data-open={isOpen}>
      <div className="header-bar wrap">
        <Link className="brand" to="/" onClick={close}>
          <Brand name={siteName} />
        </Link>
        <button
          className="menu-button"
          type="button"
          aria-expanded={isOpen}
          aria-controls={menuId}
          aria-label={isOpen ? "Menü schließen" : "Menü öffnen"}
          onClick={() => setOpen(!isOpen)}
        >
          <MenuIcon isOpen={isOpen} />
        </button>
        <nav className="menu" id={menuId} aria-label="Hauptmenü">
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
  useEffect(() => {
    if (!isActive) return;
    const listen = (event: KeyboardEvent) => {
      if (event.key === "Escape") onEscape();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [isActive, onEscape]);
}
