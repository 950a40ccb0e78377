import type { NavigationLink } from "./navigation.ts";

/** Links to a page or to a section of the home page; `path` is that of the page on which the link stands. */
export function NavLink({ link: { to, label, anchor }, path }: { link: NavigationLink; path: string }) {
  const isCurrent = !anchor && (path === to || path.startsWith(`${to}/`));
  return (
    <a href={to} aria-current={isCurrent ? "page" : undefined}>
      {label}
    </a>
  );
}
