import type { ReactNode } from "react";
import { Link, useLocation } from "../routing/router.ts";
import type { AnchorState } from "../routing/scroll.ts";
import type { NavigationLink } from "./navigation.ts";

/** Milliseconds before the header's links scroll on a home page that has just been opened. */
const DELAY_FROM_ANOTHER_PAGE = 300;

interface Props {
  link: NavigationLink;
  onNavigate?: () => void;
  children?: ReactNode;
}

/** Links to a page or to a section of the home page. If that is open, the browser scrolls there smoothly. */
export function NavLink({ link, onNavigate, children }: Props) {
  const { pathname } = useLocation();
  const state: AnchorState = { anchorDelay: pathname === "/" ? 0 : DELAY_FROM_ANOTHER_PAGE };
  const isCurrent = !link.anchor && (pathname === link.to || pathname.startsWith(`${link.to}/`));
  return (
    <Link
      to={link.to}
      state={link.anchor ? state : undefined}
      aria-current={isCurrent ? "page" : undefined}
      onClick={onNavigate}
    >
      {children ?? link.label}
    </Link>
  );
}
